/** Sentences and the tests that hold them, as the files beside this one list them. */

export interface HeldBy {
  /** Path in the repository. */
  readonly file: string
  /** A part of the name of one test or of one `describe`; in a table of cases, of the case. */
  readonly test: string
}

/** A sentence of the contract, in words of our own. */
export interface ContractEntry {
  readonly section: string
  readonly says: string
  readonly heldBy: readonly HeldBy[]
}

/** A page of `docs`, or of `docs/hosted`. A key is the hash of a sentence or a row and its first words, see `page-parts.ts`. */
export interface PageEntries {
  readonly page: string
  readonly held: Readonly<Record<string, readonly HeldBy[]>>
  /** Sentences that promise nothing of the product. */
  readonly explains: readonly string[]
}

/** Tests of one file below `test/`. */
export function by(file: string, ...tests: readonly string[]): readonly HeldBy[] {
  return tests.map(test => ({ file: `test/${file}`, test }))
}

/** The entries of one section: what it says, and by which tests that is held. */
export function section(
  name: string,
  said: Readonly<Record<string, readonly HeldBy[]>>,
): readonly ContractEntry[] {
  return Object.entries(said).map(([says, heldBy]) => ({ section: name, says, heldBy }))
}
