/**
 * What the server of `evenhand studio` sends and takes as JSON; types only, for its page. `evenhand/studio`.
 *
 * @packageDocumentation
 */

export type * from '../studio/interface.js';
