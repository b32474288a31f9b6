/** Words of a filter that can be switched on and off by a click. Pure. */

/** Returns a selector as one word: `tag:"night shift"`. */
export function tagWord(tag: string): string {
  return /[\s,&]/.test(tag) ? `tag:"${tag}"` : `tag:${tag}`
}

const wordShape = /(?:[^\s,"]|"[^"]*")+/g

function wordsOf(text: string): string[] {
  return [...text.matchAll(wordShape)].map(match => match[0])
}

export function hasWord(text: string, word: string): boolean {
  return wordsOf(text).includes(word)
}

/** Returns the text with the word appended, or removed; other words keep their signs (`&`, `!`). */
export function toggledWord(text: string, word: string): string {
  const words = wordsOf(text)
  return (words.includes(word) ? words.filter(each => each !== word) : [...words, word]).join(' ')
}
