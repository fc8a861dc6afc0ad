import fc from 'fast-check';

/** Texts that try to steer a terminal, or to show something else than they are. */
export const hostile: Readonly<Record<string, string>> = {
  'a colour': '\u001b[31mred\u001b[0m',
  'a cleared screen': '\u001b[2J\u001b[H',
  'a window title': '\u001b]0;owned\u0007',
  'a link (OSC 8)': '\u001b]8;;http://example.invalid/\u001b\\click\u001b]8;;\u001b\\',
  'the clipboard (OSC 52)': '\u001b]52;c;cm0gLXJm\u0007',
  'a device string (DCS)': '\u001bP+q544e\u001b\\',
  'a C1 control sequence': '\u009b31m',
  'a C1 operating system command': '\u009d0;owned\u009c',
  'an overprint by carriage return': 'good\rbad!',
  'an overprint by backspace': 'good\b\b\b\bbad!',
  'a bare escape at the end': 'name\u001b',
  'a right-to-left override': 'invoice\u202efdp.exe',
  'an isolate': '\u2066left\u2069',
  'a zero-width space': 'pay\u200bpal',
  'a soft hyphen': 'pay\u00adpal',
  'a byte order mark': '\ufeffname',
  'tag characters': 'a\u{e0041}\u{e0042}',
  'a line separator': 'one\u2028two',
  'a lone surrogate': 'half \ud83d',
  'a delete': 'a\u007fb',
};

/** Any text at all, lone surrogates and everything risky included, with the risky more often than chance would. */
export const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      ...',;"\'\r\n\t =+-@:#{}[]&*!|>%`\\\u0000\u001b\u0085\u009b\u00a0\u00ad\u200b\u2028\u202e\ufeff'.split(''),
    ),
    fc.constantFrom(
      '\ud800',
      '\udc00',
      'true',
      'null',
      'no',
      '0x1f',
      '1e3',
      '2024-01-31',
      '12:30',
      '日',
      '😀',
      'é',
      'ש',
    ),
    fc.constantFrom('\ufffe', '\uffff', '\u{e0041}', '\u{1fffe}', 'a', 'b', ' '),
  ),
  maxLength: 24,
});

/** Characters that a terminal acts upon or that nobody sees. */
export const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;
