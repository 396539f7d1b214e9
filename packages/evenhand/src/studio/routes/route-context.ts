import type { EventStreams } from '../runs/event-streams.js';
import type { RunIndex } from '../runs/run-index.js';

/** What the routes share. */
export interface RouteContext {
  readonly index: RunIndex;
  readonly streams: EventStreams;
  /** Where the studio was started. */
  readonly base: string;
}
