// Rules of this project that oxlint has none for. Reads the words of docs/glossary.md once per run.
import { readFileSync } from 'node:fs';

/** Words that docs/glossary.md has another word for. */
const otherWords = readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => line.split('|').at(-2).split(','))
  .map((word) => word.trim())
  .filter((word) => /^[a-z]+$/.test(word));
const upper = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const inName = new RegExp(`^(${otherWords.join('|')})(?![a-z])|(${otherWords.map(upper).join('|')})(?![a-z])`);

/** Refuses names of functions, types and variables that contain a word of the glossary's last column. */
const words = {
  create(context) {
    const check = ({ id }) => {
      if (id?.type === 'Identifier' && inName.test(id.name))
        context.report({ node: id, message: 'docs/glossary.md has another word for this.' });
    };
    return {
      FunctionDeclaration: check,
      ClassDeclaration: check,
      TSInterfaceDeclaration: check,
      TSTypeAliasDeclaration: check,
      VariableDeclarator: check,
    };
  },
};

/** Refuses mkdir with `recursive`. */
const folders = {
  create(context) {
    return {
      CallExpression(node) {
        const isRecursive = node.arguments.some(
          ({ type, properties }) =>
            type === 'ObjectExpression' && properties.some(({ key }) => key?.name === 'recursive'),
        );
        if (isRecursive && /^mkdir/.test(node.callee.name ?? ''))
          context.report({ node, message: 'Node may try for ever: makeFolders of src/state/own-file.ts.' });
      },
    };
  },
};

/** Refuses to ask a stream for `isTerminal`: one question has a name. */
const terminals = {
  create(context) {
    const check = (node, key) => {
      if (key?.name === 'isTerminal')
        context.report({ node, message: 'Ask isWatched of src/formats/streams.ts, or canAsk.' });
    };
    return {
      MemberExpression: (node) => check(node, node.property),
      ObjectPattern: (node) => node.properties.forEach((property) => check(property, property.key)),
    };
  },
};

/** Refuses `this.skip()`, which gives no reason. */
const skips = {
  create(context) {
    return {
      CallExpression(node) {
        const { object, property } = node.callee;
        if (object?.type === 'ThisExpression' && property.name === 'skip')
          context.report({ node, message: 'Say why: skip and needs of test/support/skip.ts.' });
      },
    };
  },
};

export default { meta: { name: 'relctl' }, rules: { words, folders, terminals, skips } };
