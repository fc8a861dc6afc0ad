import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Figures of one file. */
interface FileFigures {
  readonly path: string;
  readonly lines: number;
  readonly code: number;
  readonly comment: number;
  readonly functions: readonly { readonly lines: number; readonly complexity: number }[];
  readonly exported: number;
  readonly documented: number;
  readonly anys: number;
  readonly casts: number;
  readonly disables: number;
}

const branches: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CatchClause,
]);
const logical: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

function isBranch(node: ts.Node): boolean {
  return branches.has(node.kind) || (ts.isBinaryExpression(node) && logical.has(node.operatorToken.kind));
}

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node);

function complexityOf(root: ts.Node): number {
  let count = 1;
  const visit = (node: ts.Node): void => {
    if (node !== root && isFunction(node)) return;
    if (isBranch(node)) count += 1;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(root, visit);
  return count;
}

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

function figuresOf(path: string): FileFigures {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const functions: { lines: number; complexity: number }[] = [];
  const counts = { exported: 0, documented: 0, anys: 0, casts: 0 };
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && node.body !== undefined) {
      functions.push({ lines: lineOf(node.end) - lineOf(node.getStart()) + 1, complexity: complexityOf(node) });
    }
    if (isExported(node)) {
      counts.exported += 1;
      if (/^\s*\/\*\*/.test(text.slice(node.pos, node.getStart()))) counts.documented += 1;
    }
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.anys += 1;
    if (ts.isAsExpression(node) && node.type.getText() !== 'const') counts.casts += 1;
    ts.forEachChild(node, visit);
  };
  visit(file);
  const lines = text.replace(/\n$/, '').split('\n');
  const comment = lines.filter((line) => /^\s*(?:\/\/|\/\*|\*)/.test(line)).length;
  return {
    path,
    lines: lines.length,
    code: lines.filter((line) => line.trim() !== '').length - comment,
    comment,
    functions,
    ...counts,
    disables: text.split('oxlint-disable').length - 1,
  };
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const at = (values: readonly number[], share: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Prints the figures of a source tree beside their goals. */
export function printShape(folder: string): void {
  const files = filesUnder(folder).map(figuresOf);
  const functions = files.flatMap((file) => file.functions);
  const lines = files.map((file) => file.lines);
  const thousands = sum(files.map((file) => file.code)) / 1000;
  const below = files.filter((file) => !file.path.includes('/commands/'));
  const documented = sum(below.map((file) => file.documented)) / sum(below.map((file) => file.exported));
  const per = (pick: (file: FileFigures) => number): string => (sum(files.map(pick)) / thousands).toFixed(1);
  const rows: readonly (readonly [what: string, value: string, goal: string])[] = [
    ['files, lines', `${files.length}, ${sum(lines)}`, ''],
    ['file median, p90, max', [0.5, 0.9, 1].map((share) => at(lines, share)).join(', '), '60-110, 220, 350'],
    [
      'function median, p90, max',
      [0.5, 0.9, 1]
        .map((share) =>
          at(
            functions.map((each) => each.lines),
            share,
          ),
        )
        .join(', '),
      '12, 35, 60',
    ],
    [
      'complexity p90, max',
      [0.9, 1]
        .map((share) =>
          at(
            functions.map((each) => each.complexity),
            share,
          ),
        )
        .join(', '),
      '10 (15 in xml)',
    ],
    ['comment lines', `${((100 * sum(files.map((file) => file.comment))) / sum(lines)).toFixed(0)} %`, ''],
    ['documented exports below commands', `${(100 * documented).toFixed(0)} %`, '90 %'],
    ['any per 1,000 code lines', per((file) => file.anys), '0'],
    ['casts per 1,000 code lines', per((file) => file.casts), '3'],
    ['lint disables per 1,000 code lines', per((file) => file.disables), '1'],
  ];
  for (const [what, value, goal] of rows)
    console.log(`${what.padEnd(38)}${value.padEnd(22)}${goal === '' ? '' : `goal ${goal}`}`);
}
