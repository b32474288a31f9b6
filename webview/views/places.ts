/** Places in the text of a run (`models/orders.svc:34:5`) as links: to the file in an editor, else to the asset. */
import { html, type TemplateResult } from 'lit'
import { openAsset, type Store } from '../store/store.ts'

const place = /((?:[\w.-]+\/)*[\w.-]+\.svc):(\d+)(?::\d+)?/

/** Returns the text with its places as links; a place that leads nowhere stays text. */
export function withPlaces(store: Store, text: string): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = []
  let rest = text
  for (let found = place.exec(rest); found !== null; found = place.exec(rest)) {
    const [whole, path = '', line = '1'] = found
    parts.push(rest.slice(0, found.index), linkTo(store, whole, path, Number(line)))
    rest = rest.slice(found.index + whole.length)
  }
  return [...parts, rest].filter(part => part !== '')
}

function linkTo(store: Store, words: string, path: string, line: number): string | TemplateResult {
  if (store.host.abilities.openFile)
    return html`<button type="button" class="link" @click=${() => store.host.openFile(path, line)}>${words}</button>`
  const asset = store.data.peek()?.catalog.assets.find(each => each.path === path)
  if (asset === undefined) return words
  return html`<button type="button" class="link" title="Show ${asset.name}" @click=${() => openAsset(store, asset.name)}>${words}</button>`
}
