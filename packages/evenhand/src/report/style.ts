/**
 * The colours of all reports, light and dark. Series have the ten of Petroff (2021), made for all kinds of colour vision; on
 * dark pages the darkest of them are lightened.
 */
export const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b1f24; --soft: #56606b; --muted: #a5adb7; --line: #dfe3e8; --card: #f5f7f9;
  --link: #0b5cad; --heat: #1f6fb5; --on-heat: #ffffff; --below: #c75000;
  --series-0: #3f90da; --series-1: #e76300; --series-2: #832db6; --series-3: #bd1f01; --series-4: #717581;
  --series-5: #ffa90e; --series-6: #a96b59; --series-7: #94a4a2; --series-8: #b9ac70; --series-9: #5cb8bd;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --ink: #e7eaee; --soft: #a4aeb9; --muted: #5a636d; --line: #2c333b; --card: #1c2126;
    --link: #7ab8f5; --heat: #5aa9ee; --on-heat: #0d1013; --below: #ff9a4d;
    --series-0: #5aa9ee; --series-1: #ff8a3d; --series-2: #b87be0; --series-3: #ff6b52; --series-4: #a3a8b4;
    --series-6: #c98f7e; --series-9: #92dadd;
  }
}
`;

/** The style sheet of all reports. */
export const STYLE = `${COLOURS}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 1000px; margin: 0 auto; padding: 28px 16px 64px; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; overflow-wrap: anywhere; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.8rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; line-height: 1.3; margin: 1rem 0 .4rem; overflow-wrap: anywhere; }
h4 { font-size: .9rem; line-height: 1.3; margin: .8rem 0 .3rem; color: var(--soft); overflow-wrap: anywhere; }
p { margin: .4rem 0 .8rem; max-width: 70ch; overflow-wrap: anywhere; }
ul { margin: .3rem 0 .8rem; padding-left: 1.2rem; max-width: 70ch; overflow-wrap: anywhere; }
.lead, .note, figcaption { color: var(--soft); }
.note, figcaption { font-size: .875rem; }
.name { overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(158px, 1fr)); gap: 12px; margin: 1.2rem 0 .6rem; padding: 0; list-style: none; max-width: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; }
.tiles .what { display: block; color: var(--soft); font-size: .85rem; }
.tiles .value { display: block; font-size: 1.65rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }
.verdict { font-size: 1.05rem; margin: 1rem 0; padding: 10px 14px; border-left: 4px solid var(--heat); background: var(--card); border-radius: 0 8px 8px 0; max-width: 76ch; }
.tiles .baseline { display: block; color: var(--soft); font-size: .8rem; font-variant-numeric: tabular-nums; }
.tiles .interval { display: block; color: var(--soft); font-size: .8rem; font-variant-numeric: tabular-nums; min-height: 1.3em; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 358px), 1fr)); gap: 12px 36px; align-items: start; }
.charts.wide { grid-template-columns: minmax(0, 1fr); }
.charts > * { min-width: 0; }
figure { margin: .4rem 0; min-width: 0; break-inside: avoid; }
figcaption { margin-top: .3rem; max-width: 60ch; }
.scroll { overflow: auto; max-width: 100%; }
.scroll.tall { max-height: 640px; }
.hint { position: sticky; left: 0; width: max-content; max-width: 100%; margin: 0; color: var(--soft); font-size: .8rem; }
@supports (animation-timeline: scroll()) {
  .hint { visibility: hidden; height: 0; overflow: hidden; animation: overflowing linear; animation-timeline: scroll(nearest inline); }
  @keyframes overflowing { from, 90% { visibility: visible; height: 1.7em; } to { visibility: hidden; height: 1.7em; } }
}
@supports not (animation-timeline: scroll()) {
  @media (min-width: 481px) { .hint { display: none; } }
}
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.chart { display: block; font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --plot-background: var(--page); overflow: visible; }
figure > .chart, .tall > .chart { max-width: 100%; height: auto; }
.chart text { white-space: pre; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: .85rem; margin: .3rem 0 .5rem; padding: 0; list-style: none; max-width: none; }
.legend li { display: flex; align-items: center; gap: 6px; min-width: 0; }
.legend svg { flex: none; }
.ramp { display: inline-block; width: 120px; height: 12px; border: 1px solid var(--line); border-radius: 2px; }
.ramp.shares { background: linear-gradient(to right, transparent, var(--heat)); }
.ramp.changes { background: linear-gradient(to right, var(--below), transparent, var(--heat)); }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); gap: 14px; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: 5px 10px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); }
thead th { vertical-align: bottom; white-space: normal; }
th.text, td.text, th:first-child, td:first-child { text-align: left; }
th:first-child, td:first-child { padding-left: 2px; }
.scroll th:first-child { position: sticky; left: 0; background: var(--page); }
.tall thead th { position: sticky; top: 0; z-index: 1; background: var(--page); }
tbody th { color: var(--ink); font-weight: 500; white-space: normal; min-width: 9em; max-width: 18em; }
td.text { white-space: normal; min-width: 8em; }
td .interval { display: block; color: var(--soft); font-size: .92em; }
.best { font-weight: 700; }
.wrong { display: grid; grid-template-columns: repeat(auto-fill, minmax(158px, 1fr)); gap: 12px; padding: 0; list-style: none; max-width: none; font-size: .875rem; }
.wrong li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 12px; min-width: 0; break-inside: avoid; }
.wrong img { display: block; width: 96px; height: 96px; object-fit: contain; image-rendering: pixelated; margin-bottom: 6px; border-radius: 4px; }
.wrong span { display: block; }
.wrong dl { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: 0 10px; margin: 6px 0 0; font-size: .8rem; }
.wrong dt { color: var(--soft); overflow-wrap: anywhere; }
.wrong dd { margin: 0; overflow-wrap: anywhere; text-align: right; font-variant-numeric: tabular-nums; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; margin: .3rem 0 .8rem; font: .8rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
code { font: .9em ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
pre code { font: inherit; }
@media (max-width: 480px) {
  th, td { padding: 5px 6px; }
  tbody th { min-width: 6.5em; max-width: 12em; }
  h1 { font-size: 1.35rem; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .tiles .value { font-size: 1.4rem; }
}
@media print {
  :root { --page: #fff; --ink: #000; --soft: #444; --line: #ccc; --card: #fff; }
  main { max-width: none; padding: 0; }
  .scroll, .scroll.tall { overflow: visible; max-height: none; }
  .hint { display: none; }
  h2, h3 { break-after: avoid; }
  pre { white-space: pre-wrap; }
}
`;
