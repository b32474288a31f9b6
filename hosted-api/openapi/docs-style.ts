/** The style of the documentation page, dark or light like the system. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14161a); --panel: light-dark(#f6f7f9, #1b1e24); --line: light-dark(#dfe3e8, #2c313a);
  --ink: light-dark(#1c2128, #e4e7ec); --soft: light-dark(#5a6472, #9aa5b4); --link: light-dark(#0b5fcc, #7ab4ff);
  --get: light-dark(#0b6bcb, #6cb1ff); --post: light-dark(#137a3d, #5dd28c); --put: light-dark(#8a5a00, #e3b04b);
  --patch: light-dark(#6b3fc4, #b99bff); --delete: light-dark(#b3261e, #ff8a80);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 18rem minmax(0, 1fr); background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .5rem 0 0; padding: .75rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem; background: var(--panel);
  border-right: 1px solid var(--line); }
nav h1 { margin: 0 0 .1rem; font-size: 1.05rem; }
nav p { margin: 0 0 1rem; color: var(--soft); font-size: .85rem; }
nav input { width: 100%; padding: .45rem .6rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 6px; }
nav h2 { margin: 1.1rem 0 .25rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: flex; gap: .5rem; padding: .2rem .4rem; border-radius: 4px; color: inherit; font-size: .88rem; }
nav li a:hover { background: color-mix(in srgb, var(--link) 12%, transparent); text-decoration: none; }
nav .method { width: 3.4rem; flex: none; }
main { max-width: 62rem; padding: 1.75rem 2.25rem 6rem; }
main > section > h2 { margin: 2.5rem 0 .5rem; font-size: 1.35rem; text-transform: capitalize; }
article { margin: 1rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
article:target { border-color: var(--link); }
article h3 { margin: 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; font-size: 1rem; }
article h3 code { font-size: 14px; overflow-wrap: anywhere; }
article > p { margin: .35rem 0 0; }
article h4 { margin: 1rem 0 .25rem; font-size: .85rem; color: var(--soft); font-weight: 600; }
.method { font: 600 12px/1.6 ui-monospace, Menlo, Consolas, monospace; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT { color: var(--put); } .PATCH { color: var(--patch); }
.DELETE { color: var(--delete); }
.soft { color: var(--soft); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
td { padding: .3rem .6rem .3rem 0; vertical-align: top; border-top: 1px solid var(--line); }
td:first-child { width: 12rem; } td:nth-child(2) { width: 14rem; color: var(--soft); }
td code { overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--soft); font-size: .85rem; margin-top: 1rem; }
[hidden] { display: none !important; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem 1rem 4rem; }
  td, td:first-child, td:nth-child(2) { display: block; width: auto; padding: 0; }
  td:nth-child(n+2) { border-top: 0; } td:first-child { padding-top: .4rem; } td:last-child { padding-bottom: .4rem; }
}
`

/** Shows only operations that contain the typed text; "/" focuses the field. */
export const docsScript = `
const field = document.querySelector('nav input')
field.addEventListener('input', () => {
  const word = field.value.trim().toLowerCase()
  for (const each of document.querySelectorAll('[data-text]')) each.hidden = !each.dataset.text.includes(word)
  for (const group of document.querySelectorAll('[data-group]')) group.hidden = !group.querySelector('[data-text]:not([hidden])')
})
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target === field) return
  event.preventDefault()
  field.focus()
})
`
