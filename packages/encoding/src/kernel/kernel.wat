;; The three loops that decide the speed of this package, in 128-bit SIMD.
;; `npm run kernel -w packages/encoding` compiles this file into kernel-binary.ts; a test keeps the two equal.
(module
  (import "kernel" "memory" (memory 1))

  ;; The first of four consecutive labels among which one lies outside 0 … classes−1, or `count`.
  ;; Reads four at a time: the caller pads the labels to a multiple of four with zeros.
  (func (export "firstLabelOutside") (param $labels i32) (param $count i32) (param $classes i32) (result i32)
    (local $i i32) (local $limit v128)
    (local.set $limit (i32x4.splat (local.get $classes)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        ;; unsigned, so that negative labels are large ones
        (if (v128.any_true (i32x4.ge_u (v128.load (local.get $labels)) (local.get $limit)))
          (then (return (local.get $i))))
        (local.set $labels (i32.add (local.get $labels) (i32.const 16)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $next)))
    (local.get $count))

  ;; rows[i] = table[labels[i]], rows of `stride` bytes, stride a multiple of 4 and at least 8.
  (func (export "copyRows") (param $labels i32) (param $count i32) (param $table i32) (param $stride i32) (param $rows i32)
    (local $end i32) (local $from i32) (local $last i32) (local $wide i32) (local $next i32)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (local.set $end (i32.add (local.get $labels) (i32.shl (local.get $count) (i32.const 2))))

    ;; up to 12 bytes: two overlapping copies of 8
    (if (i32.lt_u (local.get $stride) (i32.const 16))
      (then
        (local.set $last (i32.sub (local.get $stride) (i32.const 8)))
        (block $done
          (loop $row
            (br_if $done (i32.ge_u (local.get $labels) (local.get $end)))
            (local.set $from (i32.add (local.get $table) (i32.mul (i32.load (local.get $labels)) (local.get $stride))))
            (i64.store (local.get $rows) (i64.load (local.get $from)))
            (i64.store (i32.add (local.get $rows) (local.get $last)) (i64.load (i32.add (local.get $from) (local.get $last))))
            (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
            (local.set $labels (i32.add (local.get $labels) (i32.const 4)))
            (br $row)))
        (return)))

    (local.set $last (i32.sub (local.get $stride) (i32.const 16)))

    ;; 36 to 48 bytes (9 to 12 classes, the commonest case): three copies of 16, the last one overlapping
    (if (i32.and (i32.gt_u (local.get $stride) (i32.const 32)) (i32.le_u (local.get $stride) (i32.const 48)))
      (then
        (block $done
          (loop $row
            (br_if $done (i32.ge_u (local.get $labels) (local.get $end)))
            (local.set $from (i32.add (local.get $table) (i32.mul (i32.load (local.get $labels)) (local.get $stride))))
            (v128.store (local.get $rows) (v128.load (local.get $from)))
            (v128.store offset=16 (local.get $rows) (v128.load offset=16 (local.get $from)))
            (v128.store (i32.add (local.get $rows) (local.get $last)) (v128.load (i32.add (local.get $from) (local.get $last))))
            (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
            (local.set $labels (i32.add (local.get $labels) (i32.const 4)))
            (br $row)))
        (return)))

    ;; otherwise 64 bytes at a time, then 16, then the overlapping last 16
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $labels) (local.get $end)))
        (local.set $from (i32.add (local.get $table) (i32.mul (i32.load (local.get $labels)) (local.get $stride))))
        (local.set $last (i32.sub (i32.add (local.get $from) (local.get $stride)) (i32.const 16)))
        (local.set $wide (i32.sub (local.get $last) (i32.const 48)))
        (local.set $next (i32.add (local.get $rows) (local.get $stride)))
        (block $wideDone
          (loop $wideNext
            (br_if $wideDone (i32.ge_s (local.get $from) (local.get $wide)))
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
            (br $wideNext)))
        (block $narrowDone
          (loop $narrowNext
            (br_if $narrowDone (i32.ge_u (local.get $from) (local.get $last)))
            (v128.store (local.get $rows) (v128.load (local.get $from)))
            (local.set $from (i32.add (local.get $from) (i32.const 16)))
            (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
            (br $narrowNext)))
        (v128.store (i32.sub (local.get $next) (i32.const 16)) (v128.load (local.get $last)))
        (local.set $rows (local.get $next))
        (local.set $labels (i32.add (local.get $labels) (i32.const 4)))
        (br $row))))

  ;; sums[labels[i], q] += probabilities[i, q] in float64. Stops at the first row with a negative or NaN entry or a
  ;; sum further than `tolerance` from 1, and returns its index; `count` when all rows are good.
  (func (export "addRows")
    (param $labels i32) (param $count i32) (param $probabilities i32) (param $classes i32) (param $sums i32)
    (param $tolerance f32) (result i32)
    (local $row i32) (local $to i32) (local $end i32) (local $rowEnd i32)
    (local $v v128) (local $w v128) (local $sum v128) (local $least v128) (local $total f32) (local $one f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (local.set $to (i32.add (local.get $sums)
          (i32.mul (i32.load (i32.add (local.get $labels) (i32.shl (local.get $row) (i32.const 2))))
                   (i32.shl (local.get $classes) (i32.const 3)))))
        (local.set $rowEnd (i32.add (local.get $probabilities) (i32.shl (local.get $classes) (i32.const 2))))
        (local.set $sum (v128.const f32x4 0 0 0 0))
        (local.set $least (v128.const f32x4 0 0 0 0))

        (local.set $end (i32.add (local.get $probabilities) (i32.shl (i32.and (local.get $classes) (i32.const -8)) (i32.const 2))))
        (block $eightsDone
          (loop $eights
            (br_if $eightsDone (i32.ge_u (local.get $probabilities) (local.get $end)))
            (local.set $v (v128.load (local.get $probabilities)))
            (local.set $w (v128.load offset=16 (local.get $probabilities)))
            (local.set $least (f32x4.pmin (f32x4.pmin (local.get $least) (local.get $v)) (local.get $w)))
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
            (br $eights)))

        (local.set $total
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))

        (block $onesDone
          (loop $ones
            (br_if $onesDone (i32.ge_u (local.get $probabilities) (local.get $rowEnd)))
            (local.set $one (f32.load (local.get $probabilities)))
            (if (f32.lt (local.get $one) (f32.const 0)) (then (return (local.get $row))))
            (local.set $total (f32.add (local.get $total) (local.get $one)))
            (f64.store (local.get $to) (f64.add (f64.load (local.get $to)) (f64.promote_f32 (local.get $one))))
            (local.set $to (i32.add (local.get $to) (i32.const 8)))
            (local.set $probabilities (i32.add (local.get $probabilities) (i32.const 4)))
            (br $ones)))

        ;; a NaN entry makes the total NaN, and no comparison with NaN holds
        (if (i32.eqz (f32.le (f32.abs (f32.sub (local.get $total) (f32.const 1))) (local.get $tolerance)))
          (then (return (local.get $row))))
        (if (v128.any_true (f32x4.lt (local.get $least) (v128.const f32x4 0 0 0 0)))
          (then (return (local.get $row))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))
    (local.get $count)))
