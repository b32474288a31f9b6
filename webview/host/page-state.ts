/**
 * Stores the view of a page in a browser: all of it in the tab's session storage, the part for links in the
 * hash (`#asset=orders&tab=quality`). The hash takes precedence, because it is what somebody was sent.
 */
import type { HostState } from './host.ts'
import { type ViewState, viewStateOf } from './view-state.ts'

/** `name` distinguishes projects, whose dashboards may use the same port one after another. */
export function pageState(name: string): HostState {
  const key = `svc.view.${name}`
  const { selected } = linkedFields(location.hash)
  return {
    // After a reload the address has the asset that was selected before.
    linked: savedState(key)?.selected === selected ? undefined : selected,
    load() {
      const saved = savedState(key)
      const linked = linkedFields(location.hash)
      if (Object.keys(linked).length === 0) return saved
      return viewStateOf({ version: 1, ...saved, ...linked })
    },
    save(state) {
      try {
        sessionStorage.setItem(key, JSON.stringify(state))
      } catch {
        // Storage is full or forbidden; a reload then starts with the default view.
      }
      // The state is replaced, not pushed, so that "back" leaves the dashboard instead of undoing every
      // click.
      history.replaceState(null, '', hashOf(state) || location.pathname + location.search)
    },
  }
}

/** Calls the listener with the asset of a link that is opened in an existing page. */
export function onLink(listener: (asset: string) => void): void {
  addEventListener('hashchange', () => {
    const { selected } = linkedFields(location.hash)
    if (selected !== undefined) listener(selected)
  })
}

function savedState(key: string): ViewState | undefined {
  try {
    return viewStateOf(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  } catch {
    return undefined
  }
}

type Linked = { -readonly [K in 'selected' | 'tab' | 'view' | 'filter']?: string }

const words = { selected: 'asset', tab: 'tab', view: 'view', filter: 'filter' } as const

export function linkedFields(hash: string): Linked {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const fields: Linked = {}
  for (const field of Object.keys(words) as (keyof typeof words)[]) {
    const value = given.get(words[field])
    if (value !== null) fields[field] = value
  }
  return fields
}

/** Returns an empty hash for the default view. */
export function hashOf({ selected, tab, view, filter }: ViewState): string {
  const given = new URLSearchParams()
  if (selected !== null) given.set(words.selected, selected)
  if (selected !== null && tab !== 'overview') given.set(words.tab, tab)
  if (view !== 'graph') given.set(words.view, view)
  if (filter !== '') given.set(words.filter, filter)
  const text = given.toString()
  return text === '' ? '' : `#${text}`
}
