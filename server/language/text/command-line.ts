/**
 * Command lines inside of sentences that tell what to do. Whoever follows one as it is printed must meet the environment that it is
 * about, so that no sentence writes `svc …` of a command with `--env` by itself.
 */

/** Returns a line as it is to be typed: `svc('run +orders')`. */
export type CommandLine = (words: string) => string

/** A sentence that says what to do; a function where it names commands that have `--env`. */
export type Hint = string | ((svc: CommandLine) => string)

/** The environment of commands and editors that name none. */
export const usualEnvironment = 'dev'

/** Returns the maker of command lines about an environment; undefined is the usual one. */
export function svcIn(environment: string | undefined = usualEnvironment): CommandLine {
  const option = environment === usualEnvironment ? '' : ` --env ${environment}`
  return words => `svc ${words}${option}`
}

export function hintIn(hint: Hint, environment: string | undefined): string {
  return typeof hint === 'string' ? hint : hint(svcIn(environment))
}

/** Joins the words of a command; one that a shell would take apart or expand stands in quotes. */
export function commandWords(...words: readonly string[]): string {
  return words.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`)).join(' ')
}
