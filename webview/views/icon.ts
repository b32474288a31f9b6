/** The icon on a button, whose text is the button's own. */
import { html, type TemplateResult } from 'lit'
import { type IconName, icons } from '../graph/icons.ts'

export function icon(name: IconName): TemplateResult {
  return html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d=${icons[name]}></path></svg>`
}

/** Returns a button with an icon only: the text becomes its name and its tooltip. */
export function iconButton(name: IconName, words: string, onClick: (event: Event) => void): TemplateResult {
  return html`<button type="button" class="icon" aria-label=${words} title=${words} @click=${onClick}>${icon(name)}</button>`
}
