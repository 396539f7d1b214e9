/** Whether tests that repeat what others show, on another server, signal or table, run as well: `EVENHAND_THOROUGH=1 npm test`. */
export const THOROUGH = process.env.EVENHAND_THOROUGH === '1';
