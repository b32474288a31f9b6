/** Shows the entries of the lens as buttons that hide and show their cards. */
import { hiddenKey } from './filter.ts'
import { type LegendEntry, type Lens, legendOf } from './lens.ts'
import type { NodeKind } from './model.ts'
import { shapes } from './scene.ts'
import type { Theme } from './theme.ts'

/** Keeps the buttons, and so the focus, while the lens is the same. */
export function fillLegend(
  place: HTMLElement,
  lens: Lens,
  kinds: ReadonlySet<NodeKind>,
  hidden: ReadonlySet<string>,
  theme: Theme,
  onHidden: (hidden: ReadonlySet<string>) => void,
): void {
  const entries = legendOf(lens, kinds)
  const key = `${lens} ${entries.length}`
  if (place.dataset['lens'] !== key) {
    place.dataset['lens'] = key
    place.replaceChildren(...entries.map(entry => legendButton(entry, lens)))
  }
  entries.forEach((entry, index) => {
    const button = place.children[index]
    if (!(button instanceof HTMLButtonElement)) return
    button.setAttribute('aria-pressed', String(!hidden.has(hiddenKey(lens, entry.key))))
    const mark = button.firstElementChild
    if (mark instanceof HTMLElement) mark.style.color = theme.roles[entry.role]
    button.onclick = () => {
      const next = new Set(hidden)
      const hiddenEntry = hiddenKey(lens, entry.key)
      if (!next.delete(hiddenEntry)) next.add(hiddenEntry)
      onHidden(next)
    }
  })
}

function legendButton(entry: LegendEntry, lens: Lens): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  const mark = document.createElement('i')
  mark.ariaHidden = 'true'
  mark.dataset['shape'] = lens === 'kind' ? shapes[entry.key as NodeKind] : 'glyph'
  if (lens !== 'kind') mark.textContent = entry.glyph
  button.append(mark, entry.word)
  return button
}
