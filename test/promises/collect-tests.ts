import ts from 'typescript';

/** A test as its source says it: the titles around it and its own, outermost first. */
export interface NamedTest {
  readonly file: string;
  readonly titles: readonly string[];
}

/** What stands for a value of a row in a title of `each` and `for`: %s, %i…; $name. */
const PLACEHOLDER = /%[sdifjoO]|\$[a-zA-Z_][\w.]*/g;

/** Shown for what only a run of the tests can tell. */
const UNKNOWN = '…';

/**
 * The tests of a file, read from its text and not run: `it`, `test` and `describe`, their `each` and `for` included. Skipped
 * ones are left out, as they keep nothing.
 *
 * A table whose rows name promises is one test a row; any other is one test, with … for what differs between its rows.
 */
export function collectTests(file: string, text: string): NamedTest[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const constants = constantsOf(source);
  const tests: NamedTest[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const call = testCallOf(node);
    if (call === undefined) ts.forEachChild(node, (child) => visit(child, around));
    if (call === undefined || call.isSkipped) return;
    for (const title of titlesOf(call, constants)) {
      const titles = [...around, title];
      if (call.verb === 'describe') for (const part of call.rest) visit(part, titles);
      else tests.push({ file, titles });
    }
  };
  visit(source, []);
  return tests;
}

/** Which promises a text names: "fault 3", "faults 4 and 5", "faults 1, 2 and 9". */
export function promisesIn(text: string): number[] {
  const lists = text.matchAll(/\bfaults? (\d+(?:(?:, | and )\d+)*)/gi);
  return [...lists].flatMap(([, list = '']) => list.split(/\D+/).map(Number));
}

interface TestCall {
  readonly verb: string;
  readonly isSkipped: boolean;
  readonly title: ts.Expression;
  /** What comes behind the title: options and the function. */
  readonly rest: readonly ts.Expression[];
  /** The table of `each` and `for`. */
  readonly table: ts.Expression | undefined;
}

/** `it(title, …)`, `it.concurrent(title, …)`, `it.each(table)(title, …)`, `it.skipIf(condition)(title, …)`. */
function testCallOf(node: ts.Node): TestCall | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [title, ...rest] = node.arguments;
  const modifiers: string[] = [];
  let table: ts.Expression | undefined;
  let verb: ts.Expression = node.expression;
  while (!ts.isIdentifier(verb)) {
    if (ts.isPropertyAccessExpression(verb)) modifiers.push(verb.name.text);
    else if (ts.isCallExpression(verb)) [table] = verb.arguments;
    else return undefined;
    verb = verb.expression;
  }
  if (!/^(it|test|describe)$/.test(verb.text) || title === undefined) return undefined;
  return { verb: verb.text, isSkipped: modifiers.some((name) => /^(skip|todo)$/.test(name)), title, rest, table };
}

function titlesOf({ title, table }: TestCall, constants: Constants): string[] {
  const text = textOf(title, constants);
  if (table === undefined) return [text];
  const rows = rowsOf(table, constants).map((row) => filledIn(text, row));
  if (rows.some((row) => promisesIn(row).length > promisesIn(text).length)) return rows;
  return [text.replace(PLACEHOLDER, UNKNOWN)];
}

/** What the constants at the top of a file are set to. */
type Constants = ReadonlyMap<string, ts.Expression>;

function constantsOf(source: ts.SourceFile): Constants {
  const constants = new Map<string, ts.Expression>();
  for (const { name, initializer } of source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])) {
    if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
  }
  return constants;
}

/** A row of a table: its values in order, which %s stands for, or by name, for $name. */
interface Row {
  readonly values: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

function rowsOf(table: ts.Expression, constants: Constants): Row[] {
  const rows = resolved(table, constants);
  if (!ts.isArrayLiteralExpression(rows)) return [];
  return rows.elements.map((element) => {
    const row = resolved(element, constants);
    const values = ts.isArrayLiteralExpression(row) ? row.elements : [row];
    const properties = ts.isObjectLiteralExpression(row) ? row.properties.filter(ts.isPropertyAssignment) : [];
    return {
      values: values.map((value) => textOf(value, constants)),
      named: new Map(properties.map(({ name, initializer }) => [name.getText(), textOf(initializer, constants)])),
    };
  });
}

function filledIn(title: string, { values, named }: Row): string {
  const next = values.values();
  return title.replace(PLACEHOLDER, (placeholder) =>
    placeholder.startsWith('%') ? (next.next().value ?? UNKNOWN) : (named.get(placeholder.slice(1)) ?? UNKNOWN),
  );
}

function textOf(expression: ts.Expression, constants: Constants): string {
  const value = resolved(expression, constants);
  // Numbers too, as they are written.
  if (ts.isLiteralExpression(value)) return value.text;
  if (ts.isTemplateExpression(value)) {
    const spans = value.templateSpans.map((span) => textOf(span.expression, constants) + span.literal.text);
    return value.head.text + spans.join('');
  }
  if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return textOf(value.left, constants) + textOf(value.right, constants);
  }
  return UNKNOWN;
}

/** Without `as const` and parentheses around it, and what it is set to if it is the name of a constant. */
function resolved(expression: ts.Expression, constants: Constants): ts.Expression {
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  ) {
    return resolved(expression.expression, constants);
  }
  const constant = ts.isIdentifier(expression) ? constants.get(expression.text) : undefined;
  return constant === undefined ? expression : resolved(constant, constants);
}
