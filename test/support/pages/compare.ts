/** Makes a state, asks all places of it, and finds what they say differently of it, or otherwise than it is. */

import { assets } from './shop.ts'
import { Stage } from './stage.ts'
import type { PageState } from './states.ts'
import { answers } from './words.ts'

export interface Compared {
  /** How many words and figures were compared. */
  readonly compared: number
  readonly differences: readonly string[]
}

export async function compareState(state: PageState): Promise<Compared> {
  const stage = new Stage()
  try {
    await state.make(stage)
    const told: Said[] = []
    for (const [place, answer] of Object.entries(answers))
      for (const [what, words] of await answer(stage)) told.push({ place, what, words })
    return { compared: told.length, differences: [...disagreements(told), ...wrong(state, told)] }
  } finally {
    await stage.dispose()
  }
}

interface Said {
  readonly place: string
  readonly what: string
  readonly words: string
}

function disagreements(told: readonly Said[]): string[] {
  const first = new Map<string, Said>()
  return told.flatMap(said => {
    const known = first.get(said.what)
    if (known === undefined) first.set(said.what, said)
    if (known === undefined || known.words === said.words) return []
    return [`${said.what}: ${known.place} says "${known.words}", ${said.place} "${said.words}"`]
  })
}

/** All places may be wrong in the same way. */
function wrong({ verdict, not = {}, causes = 0 }: PageState, told: readonly Said[]): string[] {
  const of = (what: string) => told.find(said => said.what === what)?.words ?? 'nothing'
  const word = verdict === 'Deployed with warnings' ? 'Deployed with ' : verdict
  const found = of('verdict')
  const named = new Set(told.filter(({ what }) => what.startsWith('cause of')).map(({ what }) => what)).size
  const named0 =
    verdict === 'Killed' || verdict === 'Stopped' || verdict.startsWith('Publish') ? causes : named
  const states = assets.flatMap(name => {
    const said = of(`state of ${name}`)
    const expected = not[name] ?? 'Deployed'
    return said === 'nothing' || said.startsWith(expected)
      ? []
      : [`${name} is ${expected}, and said to be ${said}`]
  })
  return [
    ...(found.startsWith(word) ? [] : [`the run is ${verdict}, and said to be ${found}`]),
    ...(named0 === causes || (causes === 0 && named === 1) ? [] : [`${causes} causes, and ${named} named`]),
    ...states,
  ]
}
