;; The three loops that decide the speed of this package, in 128-bit SIMD.
;; `npm run kernel -w packages/encoding` compiles this file into kernel-binary.ts; a test keeps the two equal.
(module
  (import "kernel" "memory" (memory 1))

  ;; The first of 16 (bytes) or 4 (int32) consecutive labels among which one lies outside 0 … classes−1, or `count`.
  ;; The caller pads the labels to a multiple of 16 bytes with zeros.
  (func (export "firstLabelOutside") (param $labels i32) (param $bytes i32) (param $count i32) (param $classes i32) (result i32)
    (local $i i32) (local $limit v128)
    ;; unsigned comparisons, so that negative labels are large ones
    (if (i32.eq (local.get $bytes) (i32.const 1))
      (then
        (local.set $limit (i8x16.splat (local.get $classes)))
        (block $done
          (loop $next
            (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
            (if (v128.any_true (i8x16.ge_u (v128.load (i32.add (local.get $labels) (local.get $i))) (local.get $limit)))
              (then (return (local.get $i))))
            (local.set $i (i32.add (local.get $i) (i32.const 16)))
            (br $next))))
      (else
        (local.set $limit (i32x4.splat (local.get $classes)))
        (block $done
          (loop $next
            (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
            (if (v128.any_true (i32x4.ge_u
                  (v128.load (i32.add (local.get $labels) (i32.shl (local.get $i) (i32.const 2)))) (local.get $limit)))
              (then (return (local.get $i))))
            (local.set $i (i32.add (local.get $i) (i32.const 4)))
            (br $next)))))
    (local.get $count))

  ;; rows[i] = table[labels[i]], rows of `stride` bytes, stride a multiple of 4 and at least 8. With `pairs` > 0 two labels
  ;; at a time: the table has a row for every pair of `pairs` classes, and count is the number of pairs.
  ;;
  ;; `count` copies in all, alternating between labels → rows and otherLabels → otherRows: memory takes two streams of
  ;; stores a quarter faster than one.
  (func (export "copyRows")
    (param $labels i32) (param $bytes i32) (param $count i32) (param $pairs i32)
    (param $table i32) (param $stride i32) (param $rows i32) (param $otherLabels i32) (param $otherRows i32)
    (local $label i32) (local $from i32) (local $last i32) (local $next i32) (local $nextLabels i32)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (if (i32.eq (local.get $bytes) (i32.const 1))
          (then
            (local.set $label (i32.load8_u (local.get $labels)))
            (if (local.get $pairs)
              (then (local.set $label
                (i32.add (i32.mul (local.get $label) (local.get $pairs)) (i32.load8_u offset=1 (local.get $labels)))))))
          (else
            (local.set $label (i32.load (local.get $labels)))
            (if (local.get $pairs)
              (then (local.set $label
                (i32.add (i32.mul (local.get $label) (local.get $pairs)) (i32.load offset=4 (local.get $labels))))))))
        (local.set $nextLabels
          (i32.add (local.get $labels) (i32.shl (local.get $bytes) (i32.ne (local.get $pairs) (i32.const 0)))))
        (local.set $from (i32.add (local.get $table) (i32.mul (local.get $label) (local.get $stride))))
        (local.set $next (i32.add (local.get $rows) (local.get $stride)))

        (if (i32.lt_u (local.get $stride) (i32.const 16))
          (then
            ;; 8 or 12 bytes: two copies of 8 that may overlap
            (i64.store (local.get $rows) (i64.load (local.get $from)))
            (i64.store (i32.sub (local.get $next) (i32.const 8))
              (i64.load (i32.sub (i32.add (local.get $from) (local.get $stride)) (i32.const 8)))))
          (else (if (i32.eq (local.get $stride) (i32.const 80))
          (then
            ;; pairs of 10 classes, the commonest number: no loop
            (v128.store (local.get $rows) (v128.load (local.get $from)))
            (v128.store offset=16 (local.get $rows) (v128.load offset=16 (local.get $from)))
            (v128.store offset=32 (local.get $rows) (v128.load offset=32 (local.get $from)))
            (v128.store offset=48 (local.get $rows) (v128.load offset=48 (local.get $from)))
            (v128.store offset=64 (local.get $rows) (v128.load offset=64 (local.get $from))))
          (else
            ;; 64 bytes at a time, then 16, then the last 16, which may overlap
            (local.set $last (i32.sub (i32.add (local.get $from) (local.get $stride)) (i32.const 16)))
            (block $wideDone
              (loop $wide
                (br_if $wideDone (i32.gt_u (i32.add (local.get $from) (i32.const 48)) (local.get $last)))
                (local.set $v0 (v128.load (local.get $from)))
                (local.set $v1 (v128.load offset=16 (local.get $from)))
                (local.set $v2 (v128.load offset=32 (local.get $from)))
                (local.set $v3 (v128.load offset=48 (local.get $from)))
                (v128.store (local.get $rows) (local.get $v0))
                (v128.store offset=16 (local.get $rows) (local.get $v1))
                (v128.store offset=32 (local.get $rows) (local.get $v2))
                (v128.store offset=48 (local.get $rows) (local.get $v3))
                (local.set $from (i32.add (local.get $from) (i32.const 64)))
                (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
                (br $wide)))
            (block $narrowDone
              (loop $narrow
                (br_if $narrowDone (i32.ge_u (local.get $from) (local.get $last)))
                (v128.store (local.get $rows) (v128.load (local.get $from)))
                (local.set $from (i32.add (local.get $from) (i32.const 16)))
                (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
                (br $narrow)))
            (v128.store (i32.sub (local.get $next) (i32.const 16)) (v128.load (local.get $last)))))))
        ;; the other stream's turn
        (local.set $labels (local.get $otherLabels))
        (local.set $otherLabels (local.get $nextLabels))
        (local.set $rows (local.get $otherRows))
        (local.set $otherRows (local.get $next))
        (br $row))))

  ;; sums[labels[i], q] += probabilities[i, q] in float64, two rows at a time; count is rounded up to an even number, so
  ;; the caller pads an odd one with a proper row and a label that does no harm. Stops at the first pair that looks improper,
  ;; an entry with a minus sign, a NaN, a sum further than `tolerance` from 1, and returns its index; `count` or more if none does.
  (func (export "addRows")
    (param $labels i32) (param $bytes i32) (param $count i32) (param $probabilities i32) (param $classes i32)
    (param $sums i32) (param $tolerance f32) (result i32)
    (local $row i32) (local $first i32) (local $second i32) (local $to i32) (local $otherTo i32)
    (local $other i32) (local $end i32) (local $rowEnd i32) (local $v v128) (local $w v128)
    (local $sum v128) (local $otherSum v128) (local $signs v128)
    (local $total f32) (local $otherTotal f32) (local $one f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (if (i32.eq (local.get $bytes) (i32.const 1))
          (then
            (local.set $first (i32.load8_u (i32.add (local.get $labels) (local.get $row))))
            (local.set $second (i32.load8_u offset=1 (i32.add (local.get $labels) (local.get $row)))))
          (else
            (local.set $first (i32.load (i32.add (local.get $labels) (i32.shl (local.get $row) (i32.const 2)))))
            (local.set $second (i32.load offset=4 (i32.add (local.get $labels) (i32.shl (local.get $row) (i32.const 2)))))))
        (local.set $to (i32.add (local.get $sums)
          (i32.mul (local.get $first) (i32.shl (local.get $classes) (i32.const 3)))))
        (local.set $otherTo (i32.add (local.get $sums)
          (i32.mul (local.get $second) (i32.shl (local.get $classes) (i32.const 3)))))
        (local.set $rowEnd (i32.add (local.get $probabilities) (i32.shl (local.get $classes) (i32.const 2))))
        (local.set $other (local.get $rowEnd))
        (local.set $sum (v128.const f32x4 0 0 0 0))
        (local.set $otherSum (v128.const f32x4 0 0 0 0))
        (local.set $signs (v128.const i32x4 0 0 0 0))

        ;; Two rows hide each other's wait for memory. Where both are of one class, the second adds to what the first stored.
        (local.set $end (i32.add (local.get $probabilities) (i32.shl (i32.and (local.get $classes) (i32.const -8)) (i32.const 2))))
        (block $eightsDone
          (loop $eights
            (br_if $eightsDone (i32.ge_u (local.get $probabilities) (local.get $end)))
            ;; one row
            (local.set $v (v128.load (local.get $probabilities)))
            (local.set $w (v128.load offset=16 (local.get $probabilities)))
            (local.set $signs (v128.or (v128.or (local.get $signs) (local.get $v)) (local.get $w)))
            (local.set $sum (f32x4.add (local.get $sum) (f32x4.add (local.get $v) (local.get $w))))
            (v128.store (local.get $to)
              (f64x2.add (v128.load (local.get $to)) (f64x2.promote_low_f32x4 (local.get $v))))
            (v128.store offset=16 (local.get $to)
              (f64x2.add (v128.load offset=16 (local.get $to))
                (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $v) (local.get $v)))))
            (v128.store offset=32 (local.get $to)
              (f64x2.add (v128.load offset=32 (local.get $to)) (f64x2.promote_low_f32x4 (local.get $w))))
            (v128.store offset=48 (local.get $to)
              (f64x2.add (v128.load offset=48 (local.get $to))
                (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $w) (local.get $w)))))
            (local.set $to (i32.add (local.get $to) (i32.const 64)))
            (local.set $probabilities (i32.add (local.get $probabilities) (i32.const 32)))
            ;; the other
            (local.set $v (v128.load (local.get $other)))
            (local.set $w (v128.load offset=16 (local.get $other)))
            (local.set $signs (v128.or (v128.or (local.get $signs) (local.get $v)) (local.get $w)))
            (local.set $otherSum (f32x4.add (local.get $otherSum) (f32x4.add (local.get $v) (local.get $w))))
            (v128.store (local.get $otherTo)
              (f64x2.add (v128.load (local.get $otherTo)) (f64x2.promote_low_f32x4 (local.get $v))))
            (v128.store offset=16 (local.get $otherTo)
              (f64x2.add (v128.load offset=16 (local.get $otherTo))
                (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $v) (local.get $v)))))
            (v128.store offset=32 (local.get $otherTo)
              (f64x2.add (v128.load offset=32 (local.get $otherTo)) (f64x2.promote_low_f32x4 (local.get $w))))
            (v128.store offset=48 (local.get $otherTo)
              (f64x2.add (v128.load offset=48 (local.get $otherTo))
                (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $w) (local.get $w)))))
            (local.set $otherTo (i32.add (local.get $otherTo) (i32.const 64)))
            (local.set $other (i32.add (local.get $other) (i32.const 32)))
            (br $eights)))

        (local.set $total
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
        (local.set $otherTotal
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $otherSum)) (f32x4.extract_lane 1 (local.get $otherSum)))
            (f32.add (f32x4.extract_lane 2 (local.get $otherSum)) (f32x4.extract_lane 3 (local.get $otherSum)))))
        (block $onesDone
          (loop $ones
            (br_if $onesDone (i32.ge_u (local.get $probabilities) (local.get $rowEnd)))
            (local.set $one (f32.load (local.get $probabilities)))
            (local.set $signs (v128.or (local.get $signs) (f32x4.splat (local.get $one))))
            (local.set $total (f32.add (local.get $total) (local.get $one)))
            (f64.store (local.get $to) (f64.add (f64.load (local.get $to)) (f64.promote_f32 (local.get $one))))
            (local.set $one (f32.load (local.get $other)))
            (local.set $signs (v128.or (local.get $signs) (f32x4.splat (local.get $one))))
            (local.set $otherTotal (f32.add (local.get $otherTotal) (local.get $one)))
            (f64.store (local.get $otherTo) (f64.add (f64.load (local.get $otherTo)) (f64.promote_f32 (local.get $one))))
            (local.set $to (i32.add (local.get $to) (i32.const 8)))
            (local.set $otherTo (i32.add (local.get $otherTo) (i32.const 8)))
            (local.set $probabilities (i32.add (local.get $probabilities) (i32.const 4)))
            (local.set $other (i32.add (local.get $other) (i32.const 4)))
            (br $ones)))

        ;; A NaN entry makes the total NaN, and no comparison with NaN holds.
        (if (i32.eqz (f32.le (f32.abs (f32.sub (local.get $total) (f32.const 1))) (local.get $tolerance)))
          (then (return (local.get $row))))
        (if (i32.eqz (f32.le (f32.abs (f32.sub (local.get $otherTotal) (f32.const 1))) (local.get $tolerance)))
          (then (return (local.get $row))))
        (if (i32x4.bitmask (local.get $signs)) (then (return (local.get $row))))
        (local.set $probabilities (local.get $other))
        (local.set $row (i32.add (local.get $row) (i32.const 2)))
        (br $next)))
    (local.get $count)))
