import { binary, unary } from './elementwise.js';

const NUMBERS = ['float32', 'int64', 'int32'] as const;

// d(a + b) = da + db
export const add = binary('add', 'Add', (dy) => [() => dy, () => dy], NUMBERS);

// d(−x) = −dx
export const neg = unary('neg', 'Neg', (dy) => neg(dy));

// d(a − b) = da − db
export const sub = binary('sub', 'Sub', (dy) => [() => dy, () => neg(dy)], NUMBERS);

// d(a·b) = b·da + a·db
export const mul = binary('mul', 'Mul', (dy, a, b) => [() => mul(dy, b), () => mul(dy, a)], NUMBERS);

// d(a/b) = da/b − (a/b)/b·db
export const div = binary('div', 'Div', (dy, _, b, y) => [() => div(dy, b), () => neg(div(mul(dy, y), b))], NUMBERS);
