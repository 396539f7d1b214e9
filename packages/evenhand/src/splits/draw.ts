import { at, float64At, int32At } from '../checked-access.js';
import type { Blocks } from './blocks.js';

/** What was drawn so far, and what the block under consideration would change. */
export class Draw {
  readonly instances: number[] = [];
  /** Instances of each class drawn so far. */
  private readonly drawn: Float64Array;
  /** The most that a class gives: half, or its target. */
  private readonly limits: readonly number[];
  private block = 0;
  /** Instances of each class in the block, and its classes. */
  private readonly added: Float64Array;
  private readonly classes: number[] = [];

  constructor(
    private readonly blocks: Blocks,
    private readonly labels: Int32Array,
    private readonly targets: readonly number[],
    available: readonly number[],
  ) {
    this.drawn = new Float64Array(targets.length);
    this.added = new Float64Array(targets.length);
    this.limits = targets.map((target, p) => Math.max(target, Math.floor(at(available, p) / 2)));
  }

  consider(block: number): void {
    const { instances, starts } = this.blocks;
    for (const p of this.classes) this.added[p] = 0;
    this.classes.length = 0;
    this.block = block;
    const end = int32At(starts, block + 1);
    for (let i = int32At(starts, block); i < end; i++) {
      const p = int32At(this.labels, int32At(instances, i));
      if (this.added[p] === 0) this.classes.push(p);
      this.added[p] = float64At(this.added, p) + 1;
    }
  }

  take(): void {
    const { instances, starts } = this.blocks;
    const end = int32At(starts, this.block + 1);
    for (let i = int32At(starts, this.block); i < end; i++) this.instances.push(int32At(instances, i));
    for (const p of this.classes) this.drawn[p] = this.after(p);
  }

  staysWithinTargets(): boolean {
    return this.classes.every((p) => this.after(p) <= this.target(p));
  }

  staysWithinLimits(): boolean {
    return this.classes.every((p) => this.after(p) <= at(this.limits, p));
  }

  bringsAbsentClass(): boolean {
    return this.classes.some((p) => this.drawn[p] === 0 && this.target(p) > 0);
  }

  /** Whether `Σ_p |drawn_p − target_p| / target_p` falls; a rare class counts as much as a common one. */
  comesNearer(): boolean {
    const change = (p: number) =>
      Math.abs(this.after(p) - this.target(p)) - Math.abs(float64At(this.drawn, p) - this.target(p));
    return this.classes.reduce((sum, p) => sum + change(p) / Math.max(1, this.target(p)), 0) < 0;
  }

  isShort(): boolean {
    return this.targets.some((target, p) => float64At(this.drawn, p) < target);
  }

  private target(p: number): number {
    return at(this.targets, p);
  }

  private after(p: number): number {
    return float64At(this.drawn, p) + float64At(this.added, p);
  }
}
