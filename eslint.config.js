import { readFileSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** Words that docs/glossary.md has another word for. */
const otherWords = readFileSync(new URL('docs/glossary.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .flatMap((line) => line.split('|').at(-2).split(','))
  .map((word) => word.trim())
  .filter((word) => word !== '');
const upper = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const inName = `/^(${otherWords.join('|')})(?![a-z])|(${otherWords.map(upper).join('|')})(?![a-z])/`;
const declared = [
  'FunctionDeclaration > Identifier.id',
  'ClassDeclaration > Identifier.id',
  'TSInterfaceDeclaration > Identifier.id',
  'TSTypeAliasDeclaration > Identifier.id',
  'VariableDeclarator > Identifier.id',
];

const globalsWithOneDoor = [{ name: 'console', message: 'Write through src/output/streams.ts.' }];
const processDoors = (allowed) =>
  ['stdout', 'stderr', 'stdin', 'exit', 'exitCode', 'env', 'argv']
    .filter((property) => !allowed.includes(property))
    .map((property) => ({
      object: 'process',
      property,
      message: 'Only output/streams.ts, app/exit.ts and host/environment.ts use this.',
    }));
const clocks = [
  { object: 'Date', property: 'now', message: 'Take the clock from the context.' },
  { object: 'Math', property: 'random', message: 'Take randomness as a value.' },
];
const restrict = (allowed, withClocks = clocks) => ({
  'no-restricted-properties': ['error', ...processDoors(allowed), ...withClocks],
});

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'coverage', 'tmp'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      eqeqeq: 'error',
      'no-restricted-globals': ['error', ...globalsWithOneDoor],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 350 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true }],
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-params': ['error', 3],
      'no-restricted-syntax': [
        'error',
        ...declared.map((selector) => ({
          selector: `${selector}[name=${inName}]`,
          message: 'docs/glossary.md has another word for this.',
        })),
        {
          selector: "CallExpression[callee.name=/^mkdir/] Property[key.name='recursive']",
          message: 'Node may try for ever: makeFolders of src/files/own-file.ts.',
        },
      ],
      ...restrict([]),
    },
  },
  { files: ['src/contract/**/*.ts'], rules: { 'max-lines': ['error', { max: 450 }] } },
  { files: ['src/xml/**/*.ts'], rules: { complexity: ['error', 15] } },
  { files: ['src/output/streams.ts'], rules: restrict(['stdout', 'stderr']) },
  { files: ['src/app/exit.ts'], rules: restrict(['exit', 'exitCode']) },
  { files: ['src/host/environment.ts'], rules: restrict(['env', 'argv', 'stdin'], []) },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/require-await': 'off',
      'no-restricted-globals': 'off',
    },
  },
  {
    files: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='skip'][callee.object.type='ThisExpression']",
          message: 'Say why: skip and needs of test/support/skip.ts.',
        },
      ],
    },
  },
);
