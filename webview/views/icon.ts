/** The sign on a button; its words are the button's. */
import { html, nothing, type TemplateResult } from 'lit'
import { type IconName, icons } from '../graph/icons.ts'

export function icon(name: IconName): TemplateResult {
  return html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d=${icons[name]}></path></svg>`
}

/** A button that is nothing but its sign: the words are its name and its tooltip. */
export function iconButton(
  name: IconName,
  words: string,
  onClick: (event: Event) => void,
  isPressed?: boolean,
): TemplateResult {
  return html`<button type="button" class="icon" aria-label=${words} title=${words} aria-pressed=${isPressed ?? nothing} @click=${onClick}>${icon(name)}</button>`
}
