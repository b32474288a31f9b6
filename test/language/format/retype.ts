/** Types SQL anew as somebody else would: other spacing, other line breaks, other case of keywords, comments. */
import { engine } from '../../support/engine.ts'
import type { Random } from '../../support/random.ts'

const keyword =
  /^(?:select|from|where|group|by|order|having|join|left|on|and|or|as|with|union|all|case|when|then|else|end|in|not|is|null|limit|over|partition|qualify|using|distinct)$/i

export function retyped(sql: string, random: Random): string {
  let text = ''
  let end = 0
  for (const token of engine.tokens(sql)) {
    const written = sql.slice(token.start, token.end)
    text += spacing(sql.slice(end, token.start), text, random)
    text += token.kind === 'word' && keyword.test(written) ? recased(written, random) : written
    end = token.end
  }
  return text
}

function recased(word: string, random: Random): string {
  return random.pick([
    word,
    word.toLowerCase(),
    word.toUpperCase(),
    word[0]?.toUpperCase() + word.slice(1).toLowerCase(),
  ])
}

/** Where there was space there is another; where there was none there is none, or the word would be another one. */
function spacing(before: string, text: string, random: Random): string {
  if (before === '') return ''
  const isAfterLineComment = /--[^\n]*$/.test(text)
  if (isAfterLineComment) return `${random.pick(['', ' '])}\n${' '.repeat(random.below(9))}`
  const roll = random.below(14)
  if (roll === 0) return ` -- c${random.below(1000)}\n`
  if (roll === 1) return `\n  -- c${random.below(1000)}\n`
  if (roll === 2) return ` /* c${random.below(1000)} */ `
  if (roll === 3) return '\n\n\n'
  if (roll < 7) return `\n${' '.repeat(random.below(12))}`
  return roll === 7 ? '\t' : ' '.repeat(1 + random.below(3))
}
