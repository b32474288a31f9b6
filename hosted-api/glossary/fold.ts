/** Folds letters in the same way for texts and for questions, on both engines. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
