// Calls a function before each statement that a database of this process runs. The library of the driver is outside the
// bundle of the program, and the driver takes hold of the calls of that when it is loaded: this has to be loaded before.
require('libsql');

/**
 * @param {readonly string[]} names calls of the library
 * @param {() => void} called what is called before each
 */
exports.beforeCalls = (names, called) => {
  const loaded = Object.values(require.cache).find((each) => /@libsql.*\.node$/.test(each?.filename ?? ''));
  if (loaded === undefined) throw new Error('libsql has loaded no library');
  for (const name of names) {
    const call = loaded.exports[name];
    if (call === undefined) throw new Error(`the library of libsql has no ${name}`);
    loaded.exports[name] = function (...args) {
      called();
      return call.apply(this, args);
    };
  }
};
