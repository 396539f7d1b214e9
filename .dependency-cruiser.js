// Floors, dependencies point down (CONTRIBUTING.md). A workspace import is seen either as the path it resolves to
// or, before the first build, as its bare name: every rule has to know both.
const anyWorkspacePackage = ['^packages/', '^@evenhand/', '^evenhand(/|$)'];
const encoding = ['^packages/encoding/', '^@evenhand/encoding(/|$)'];
const engine = ['^packages/engine/', '^@evenhand/engine(/|$)'];
const resampling = ['^packages/resampling/', '^@evenhand/resampling(/|$)'];
const streams = ['^packages/streams/', '^@evenhand/streams(/|$)'];
const trees = ['^packages/trees/', '^@evenhand/trees(/|$)'];
const evenhand = ['^packages/evenhand/', '^evenhand(/|$)'];
const studio = ['^packages/studio/', '^@evenhand/studio(/|$)'];
const paper = ['^packages/paper/', '^@evenhand/paper(/|$)'];
const tensorFlow = ['(^|/)node_modules/@tensorflow/tfjs/', '^@tensorflow/tfjs$'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'encoding-imports-nothing',
      comment:
        'The encoding runs in Node, browsers and workers, beside any framework, because it depends on nothing: ' +
        'no npm package, no node: module. Write the few lines it needs inside packages/encoding/src.',
      severity: 'error',
      from: { path: '^packages/encoding/src/' },
      to: { pathNot: '^packages/encoding/src/' },
    },
    {
      name: 'resampling-imports-nothing',
      comment:
        'Resampling, too, runs in Node, browsers and workers because it depends on nothing: no npm package, no node: ' +
        'module. Write the few lines it needs inside packages/resampling/src.',
      severity: 'error',
      from: { path: '^packages/resampling/src/' },
      to: { pathNot: '^packages/resampling/src/' },
    },
    {
      name: 'streams-imports-nothing',
      comment:
        'What learning from a stream needs beside a learner runs in Node, browsers and workers, beside any learner: no npm package, no ' +
        'node: module. Write the few lines it needs inside packages/streams/src.',
      severity: 'error',
      from: { path: '^packages/streams/src/' },
      to: { pathNot: '^packages/streams/src/' },
    },
    {
      name: 'parts-stand-alone',
      comment:
        'Encoding, resampling and streams know nothing of networks, nor of each other; engine and trees know nothing of imbalance. So ' +
        'each can be used without the others, in tests too. What needs several belongs into packages/evenhand.',
      severity: 'error',
      from: { path: '^packages/(encoding|resampling|streams|engine|trees)/' },
      to: { path: anyWorkspacePackage, pathNot: ['^packages/$1/', '^@evenhand/$1(/|$)'] },
    },
    {
      name: 'tfjs-imports-encoding-and-tensorflow-only',
      comment:
        'Whoever has a TensorFlow.js model installs two small packages and no more; it runs wherever TensorFlow.js ' +
        'runs, so no node: module either.',
      severity: 'error',
      from: { path: '^packages/tfjs/src/' },
      to: { pathNot: ['^packages/tfjs/src/', ...encoding, ...tensorFlow] },
    },
    {
      name: 'evenhand-joins-the-floors-below-only',
      comment:
        'The product stands on the floors below it; the TensorFlow.js adapter and the paper are products of their own.',
      severity: 'error',
      from: { path: '^packages/evenhand/' },
      to: {
        path: anyWorkspacePackage,
        pathNot: [...evenhand, ...encoding, ...resampling, ...streams, ...engine, ...trees],
      },
    },
    {
      name: 'studio-knows-the-server-by-its-interface',
      comment:
        'The page runs in a browser: of the product it may know the types of what the server sends, evenhand/studio, and ' +
        'nothing else. The playground computes in the page, with the encoding and the engine.',
      severity: 'error',
      from: { path: '^packages/studio/src/' },
      to: {
        path: anyWorkspacePackage,
        pathNot: [...studio, ...encoding, ...engine, '^evenhand/studio$', '^packages/evenhand/dist/doors/studio[.]'],
      },
    },
    {
      name: 'nothing-stands-on-the-studio',
      comment: 'Its page is built into files that evenhand ships; nobody imports it.',
      severity: 'error',
      from: { path: '^(packages|bench|docs|examples|scripts|test)/', pathNot: '^packages/studio/' },
      to: { path: studio },
    },
    {
      name: 'paper-stands-on-evenhand',
      comment:
        'The paper is carried out as any user of evenhand would do it: by its doors, the entries of its package.json. What ' +
        'is missing there is missing to others too. The mathematics may be imported where they are, in the encoding.',
      severity: 'error',
      from: { path: '^packages/paper/' },
      to: { path: anyWorkspacePackage, pathNot: [...paper, ...evenhand, ...encoding] },
    },
    {
      name: 'nothing-stands-on-the-paper',
      comment: 'What others need of it belongs into packages/evenhand.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/paper/' },
      to: { path: paper },
    },
    {
      name: 'no-relative-import-across-packages',
      comment:
        'Another package is imported by its name, as its users import it: a relative path reaches past its exports ' +
        'and is not there any more once the packages are published.',
      severity: 'error',
      from: { path: '^(packages/[^/]+|bench|docs|examples|scripts|test)/' },
      to: {
        path: '^packages/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased-workspace'],
      },
    },
    {
      name: 'no-relative-import-into-nothing',
      comment:
        "Above all not into another package's dist, which the rule before cannot see until the first build. If the " +
        'file is generated, commit it; if it moved, correct the path.',
      severity: 'error',
      from: {},
      to: { path: '^[.][.]?/', couldNotResolve: true },
    },
    {
      name: 'no-circular-imports',
      comment: 'Modules that need each other, be it for a type, are one module, or share a third one not yet written.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment:
        'A folder is a part of the machine, and parts stand on each other in one order, types included. Move the file ' +
        'that points the wrong way to where it belongs. Files directly in src belong to no part.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/(engine|evenhand|resampling|trees)/src/' },
      to: { path: '^packages/$1/src/', circular: true },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    // Type-only imports are dependencies as well: they are in the published declarations.
    tsPreCompilationDeps: true,
    // Without metrics no folders, and no rule for them.
    metrics: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
