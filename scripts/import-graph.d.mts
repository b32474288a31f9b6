export interface Import {
  readonly target: string
  readonly isValue: boolean
}

export function sourceTexts(): Map<string, string>
export function importsOfAll(files: ReadonlyMap<string, string>): Map<string, readonly Import[]>
export function filesInCircles(
  imports: ReadonlyMap<string, readonly Import[]>,
): readonly (readonly string[])[]
export function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][]
