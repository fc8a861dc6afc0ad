import { defineConfig } from 'oxlint';

/** Rules without options, as errors. */
const errors = (...names) => Object.fromEntries(names.map((name) => [name, 'error']));

const processDoors = (allowed) =>
  ['stdout', 'stderr', 'stdin', 'exit', 'exitCode', 'env', 'argv']
    .filter((property) => !allowed.includes(property))
    .map((property) => ({
      object: 'process',
      property,
      message: 'Only formats/streams.ts, app/exit.ts and kit/host/environment.ts use this.',
    }));
const clocks = [
  { object: 'Date', property: 'now', message: 'Take the clock from the context.' },
  { object: 'Math', property: 'random', message: 'Take randomness as a value.' },
];
const restrict = (allowed, withClocks = clocks) => ({
  'no-restricted-properties': ['error', ...processDoors(allowed), ...withClocks],
});

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./scripts/lint.js'],
  categories: { correctness: 'error' },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'coverage', 'tmp', '**/*.assembly.ts', '**/*.js', '**/*.cjs', '**/*.mjs'],
  rules: {
    ...errors(
      'eqeqeq',
      'no-array-constructor',
      'no-unused-expressions',
      'no-useless-constructor',
      'no-var',
      'prefer-const',
      'prefer-rest-params',
      'prefer-spread',
    ),
    // The strict set of typescript-eslint, as far as `correctness` does not have it.
    ...errors(
      ...[
        'ban-ts-comment',
        'consistent-type-imports',
        'explicit-module-boundary-types',
        'no-deprecated',
        'no-dynamic-delete',
        'no-empty-object-type',
        'no-explicit-any',
        'no-extraneous-class',
        'no-invalid-void-type',
        'no-mixed-enums',
        'no-namespace',
        'no-non-null-asserted-nullish-coalescing',
        'no-non-null-assertion',
        'no-require-imports',
        'no-unnecessary-boolean-literal-compare',
        'no-unnecessary-template-expression',
        'no-unnecessary-type-arguments',
        'no-unnecessary-type-assertion',
        'no-unnecessary-type-constraint',
        'no-unnecessary-type-conversion',
        'no-unnecessary-type-parameters',
        'no-unsafe-argument',
        'no-unsafe-assignment',
        'no-unsafe-call',
        'no-unsafe-enum-comparison',
        'no-unsafe-function-type',
        'no-unsafe-member-access',
        'no-unsafe-return',
        'only-throw-error',
        'prefer-literal-enum-member',
        'prefer-promise-reject-errors',
        'prefer-reduce-type-parameter',
        'prefer-return-this-type',
        'related-getter-setter-pairs',
        'restrict-plus-operands',
        'return-await',
        'unified-signatures',
        'use-unknown-in-catch-callback-variable',
      ].map((name) => `typescript/${name}`),
    ),
    // What this project does on purpose: it speaks of control characters, and its generic functions have default options.
    'no-control-regex': 'off',
    'no-unsafe-optional-chaining': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    // `finally` waits for what its function gives.
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
    'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
  overrides: [
    {
      files: ['src/**/*.ts'],
      rules: {
        'max-lines': ['error', { max: 350 }],
        'max-lines-per-function': ['error', { max: 60, skipBlankLines: true }],
        complexity: ['error', 10],
        'max-depth': ['error', 3],
        'max-params': ['error', 3],
        'no-restricted-globals': ['error', { name: 'console', message: 'Write through src/formats/streams.ts.' }],
        'typescript/require-await': 'error',
        'relctl/words': 'error',
        'relctl/folders': 'error',
        'relctl/terminals': 'error',
        ...restrict([]),
      },
    },
    { files: ['src/contract/**/*.ts'], rules: { 'max-lines': ['error', { max: 450 }] } },
    { files: ['src/xml/**/*.ts'], rules: { complexity: ['error', 15] } },
    { files: ['src/formats/streams.ts'], rules: { ...restrict(['stdout', 'stderr']), 'relctl/terminals': 'off' } },
    { files: ['src/formats/streams.ts'], rules: { 'relctl/terminals': 'off' } },
    { files: ['src/app/exit.ts'], rules: restrict(['exit', 'exitCode']) },
    { files: ['src/kit/host/environment.ts'], rules: restrict(['env', 'argv', 'stdin'], []) },
    { files: ['test/**/*.test.ts'], rules: { 'relctl/skips': 'error' } },
    {
      files: ['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
      rules: { 'no-unused-expressions': 'off', 'typescript/require-array-sort-compare': 'off' },
    },
  ],
});
