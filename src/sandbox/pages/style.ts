import { createHash } from 'node:crypto';

/** The one style sheet of the pages. It stands in each page, so that no page needs a second request. */
export const style = `
:root { color-scheme: light dark; --ink: #1d2433; --dim: #5d6880; --line: #d8deea; --paper: #fff; --ground: #f4f6fa;
  --accent: #1f5fbf; --accent-ink: #fff; --warn: #8a4b00; --warn-ground: #fff3e0; --bad: #a4121f; --bad-ground: #fdeaec;
  --good: #16693a; --good-ground: #e6f5ec; --value: #a3305a; --tag: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8f2; --dim: #9aa6bd; --line: #333d52; --paper: #1a2030;
  --ground: #121722; --accent: #7fb0ff; --accent-ink: #10182a; --warn: #ffc27a; --warn-ground: #3a2a12; --bad: #ff9aa5;
  --bad-ground: #3d1a20; --good: #86dba8; --good-ground: #14321f; --value: #ff9fc3; --tag: #8db8ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
header p { margin: 0 0 .25rem; color: var(--dim); font-size: .95rem; }
h1 { margin: 0 0 .5rem; font-size: 1.8rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .6rem; font-size: 1.2rem; }
h3 { margin: 1.25rem 0 .4rem; font-size: 1rem; color: var(--dim); }
a { color: var(--accent); text-underline-offset: .15em; }
code, pre, input, select, textarea { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .875rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .25rem 1.25rem; }
.list { list-style: none; margin: 0; } .list.card { padding: 0 1.25rem; }
.list li { padding: .6rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: 21rem 1fr; gap: .15rem 1.25rem; }
.list li:first-child { border-top: 0; }
.list a { font-weight: 600; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 .5rem; margin-left: .3rem; border-radius: 1rem; font-size: .75rem; font-weight: 600; line-height: 1.4rem; background: var(--ground); color: var(--dim); border: 1px solid var(--line); }
.note { margin: .75rem 0; padding: .6rem .9rem; border-radius: .4rem; background: var(--ground); border: 1px solid var(--line); }
.deprecated { color: var(--warn); }
.note.deprecated { background: var(--warn-ground); border-color: transparent; }
.note.bad { background: var(--bad-ground); color: var(--bad); border-color: transparent; }
.note.good { background: var(--good-ground); color: var(--good); border-color: transparent; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .75rem 0; font-size: .95rem; }
dl.facts dt { color: var(--dim); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: .9rem 1rem; overflow: auto; max-height: 40rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; line-height: 1.45; tab-size: 2; }
.v { color: var(--value); } .t { color: var(--tag); }
form.card { margin: 0; padding: .6rem 1.25rem 1.1rem; }
.row { display: grid; grid-template-columns: 15rem 1fr; gap: .15rem 1rem; padding: .35rem 0; align-items: start; }
.row > label { padding-top: .35rem; font-weight: 600; overflow-wrap: anywhere; }
.row small { font-weight: 400; color: var(--dim); } .row label small { display: block; }
.row .hint { color: var(--dim); font-size: .85rem; }
.row.wrong input, .row.wrong textarea, .row.wrong select { border-color: var(--bad); outline: 1px solid var(--bad); }
input[type=text], input[type=password], select, textarea { width: 100%; padding: .4rem .55rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .35rem; }
textarea { resize: vertical; display: block; }
.tick { font-weight: 400; font-size: .85rem; color: var(--dim); white-space: nowrap; } .tick input { vertical-align: -.1em; margin: 0 .2rem 0 0; }
.actions { display: flex; gap: .75rem; align-items: center; flex-wrap: wrap; margin-top: 1rem; } .actions select { width: auto; }
button { font: inherit; font-weight: 600; padding: .45rem 1.4rem; border-radius: .4rem; border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink); cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
details { margin: 1rem 0; } summary { cursor: pointer; font-weight: 600; } details[open] > summary { margin-bottom: .6rem; }
form details { margin: .25rem 0 .75rem; padding-bottom: .5rem; border-bottom: 1px solid var(--line); } .row details { font-size: .85rem; border-bottom: 0; padding: 0; }
table.counts { width: 100%; border-spacing: 0; margin: 0 0 1.75rem; table-layout: fixed; }
.counts caption { text-align: left; font-size: 1.2rem; font-weight: 600; padding-bottom: .6rem; }
.counts th, .counts td { text-align: left; font-weight: 400; vertical-align: baseline; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.counts thead th { border-top: 0; color: var(--dim); font-size: .85rem; }
.counts tbody th { font-weight: 600; } .counts small { white-space: nowrap; } .dim { color: var(--dim); font-size: .85rem; }
.counts .number { width: 8rem; padding-right: 1.5rem; text-align: right; font-variant-numeric: tabular-nums; }
.counts thead th:first-child { width: 16rem; }
.ways { padding-left: 1.2rem; }
footer { padding-top: 2.5rem; padding-bottom: 2rem; color: var(--dim); font-size: .85rem; }
@media (max-width: 45rem) { h1 { font-size: 1.4rem; } .list li, .row { grid-template-columns: 1fr; } .list a { font-size: .95rem; }
  .counts thead { display: none; } .counts, .counts caption, .counts tbody { display: block; }
  .counts tr { display: grid; grid-template-columns: 1fr auto; border-top: 1px solid var(--line); padding: .4rem 0; }
  .counts tbody tr:first-child { border-top: 0; }
  .counts tbody th, .counts tbody td { border: 0; padding: 0; } .counts .number.number { width: auto; padding: 0 0 0 1rem; } .counts td:last-child { grid-column: 1 / -1; } .counts small { white-space: normal; } }
`;

/** How a Content-Security-Policy names this style sheet. */
export const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
