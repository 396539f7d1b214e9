import type { Blocks } from './blocks.js';

/** What was drawn so far, and what the block under consideration would change. */
export class Draw {
  readonly places: number[] = [];
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
    this.limits = targets.map((target, p) => Math.max(target, Math.floor((available[p] ?? 0) / 2)));
  }

  consider(block: number): void {
    const { places, starts } = this.blocks;
    for (const p of this.classes) this.added[p] = 0;
    this.classes.length = 0;
    this.block = block;
    for (let i = starts[block] ?? 0; i < (starts[block + 1] ?? 0); i++) {
      const p = this.labels[places[i] ?? 0] ?? 0;
      if (this.added[p] === 0) this.classes.push(p);
      this.added[p] = (this.added[p] ?? 0) + 1;
    }
  }

  take(): void {
    const { places, starts } = this.blocks;
    for (let i = starts[this.block] ?? 0; i < (starts[this.block + 1] ?? 0); i++) this.places.push(places[i] ?? 0);
    for (const p of this.classes) this.drawn[p] = this.after(p);
  }

  staysWithinTargets(): boolean {
    return this.classes.every((p) => this.after(p) <= this.target(p));
  }

  staysWithinLimits(): boolean {
    return this.classes.every((p) => this.after(p) <= (this.limits[p] ?? 0));
  }

  bringsAbsentClass(): boolean {
    return this.classes.some((p) => this.drawn[p] === 0 && this.target(p) > 0);
  }

  /** Whether `Σ_p |drawn_p − target_p| / target_p` falls; a rare class counts as much as a common one. */
  comesNearer(): boolean {
    const change = (p: number) =>
      Math.abs(this.after(p) - this.target(p)) - Math.abs((this.drawn[p] ?? 0) - this.target(p));
    return this.classes.reduce((sum, p) => sum + change(p) / Math.max(1, this.target(p)), 0) < 0;
  }

  isShort(): boolean {
    return this.targets.some((target, p) => (this.drawn[p] ?? 0) < target);
  }

  private target(p: number): number {
    return this.targets[p] ?? 0;
  }

  private after(p: number): number {
    return (this.drawn[p] ?? 0) + (this.added[p] ?? 0);
  }
}
