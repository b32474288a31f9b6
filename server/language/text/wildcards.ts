/**
 * Matches patterns with `*` and `?` in time that grows with pattern and text. A regular expression would try
 * every way to distribute the text over the stars: with eight of them that takes hours.
 */
export interface WildcardOptions {
  /** The text is a path: `*` and `?` match within one segment, `**` matches many. */
  readonly isPath?: boolean
  /** `{a,b}` matches either. Unclosed braces are plain characters. */
  readonly hasBraces?: boolean
  /** `?` is a plain character. */
  readonly isStarOnly?: boolean
}

type Instruction =
  /** Consumes one character of the text. */
  | { readonly fits: (character: string) => boolean }
  /** Continues at each of these instructions. */
  | { readonly goto: readonly number[] }

type Program = Instruction[]

export function wildcards(pattern: string, options: WildcardOptions = {}): (text: string) => boolean {
  const program: Program = []
  compile(pattern, options, program)
  return text => runs(program, text)
}

function compile(pattern: string, options: WildcardOptions, program: Program): void {
  const pieces = options.isStarOnly ? /\*+|[^*]+/gu : /\*\*\/?|\*|\?|\{|[^*?{]+/gu
  for (let piece = pieces.exec(pattern)?.[0]; piece !== undefined; piece = pieces.exec(pattern)?.[0]) {
    const alternatives =
      piece === '{' && options.hasBraces ? alternativesFrom(pattern, pieces.lastIndex) : undefined
    if (alternatives === undefined) add(piece, options, program)
    else {
      addAlternatives(alternatives.texts, options, program)
      pieces.lastIndex = alternatives.end
    }
  }
}

function add(piece: string, { isPath, isStarOnly }: WildcardOptions, program: Program): void {
  const inStep = isPath === true ? (character: string) => character !== '/' : anyCharacter
  if (piece === '**/' && isPath === true) {
    // `**` also matches no segment.
    const start = program.length
    program.push({ goto: [start + 1, start + 5] })
    addMany(anyCharacter, program)
    addText('/', program)
  } else if (piece === '*' || (isStarOnly === true && piece.startsWith('*'))) addMany(inStep, program)
  else if (piece === '?' && isStarOnly !== true) program.push({ fits: inStep })
  else if (piece.startsWith('**')) {
    addMany(anyCharacter, program)
    addText(piece.slice(2), program)
  } else addText(piece, program)
}

const anyCharacter = (): boolean => true

function addText(text: string, program: Program): void {
  for (const wanted of text) program.push({ fits: character => character === wanted })
}

function addMany(fits: (character: string) => boolean, program: Program): void {
  const start = program.length
  program.push({ goto: [start + 1, start + 3] }, { fits }, { goto: [start] })
}

function addAlternatives(texts: readonly string[], options: WildcardOptions, program: Program): void {
  const starts: number[] = []
  const ends: number[][] = []
  program.push({ goto: starts })
  for (const text of texts) {
    starts.push(program.length)
    compile(text, options, program)
    const end: number[] = []
    ends.push(end)
    program.push({ goto: end })
  }
  for (const end of ends) end.push(program.length)
}

/** Returns the alternatives up to the closing brace; undefined if there is none. */
function alternativesFrom(pattern: string, start: number): { texts: string[]; end: number } | undefined {
  const texts: string[] = []
  let depth = 0
  let from = start
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '{') depth++
    if (depth === 0 && (character === ',' || character === '}')) {
      texts.push(pattern.slice(from, at))
      from = at + 1
      if (character === '}') return { texts, end: from }
    }
    if (character === '}') depth--
  }
  return undefined
}

/** Runs all states of the program in parallel, character by character. */
function runs(program: Program, text: string): boolean {
  let places = reached(program, [0])
  for (const character of text) {
    const next: number[] = []
    for (const place of places) {
      const instruction = program[place]
      if (instruction !== undefined && 'fits' in instruction && instruction.fits(character))
        next.push(place + 1)
    }
    if (next.length === 0) return false
    places = reached(program, next)
  }
  return places.has(program.length)
}

function reached(program: Program, from: readonly number[]): ReadonlySet<number> {
  const places = new Set<number>()
  const waiting = [...from]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (places.has(place)) continue
    places.add(place)
    const instruction = program[place]
    if (instruction !== undefined && 'goto' in instruction) waiting.push(...instruction.goto)
  }
  return places
}
