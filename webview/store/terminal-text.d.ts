/**
 * A line of a run's log as pieces with their colours. Of the escape sequences of terminals only SGR means something here;
 * all others, and other control characters, are taken away. Pure; never makes HTML.
 */
export type AnsiColour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white'
export interface TextPiece {
  readonly text: string
  readonly colour: AnsiColour | undefined
  readonly bright: boolean
  readonly bold: boolean
  readonly dim: boolean
  readonly underline: boolean
}
/** Every line begins plain: a colour that was left open does not run into the next line. */
export declare function piecesOf(line: string): readonly TextPiece[]
export declare function plainText(line: string): string
