export interface Suite {
  readonly name: string
  readonly path: string
  readonly isAlone: boolean
}
export declare function longSuites(): readonly Suite[]
export declare function figuresOf(report: string, told: string): readonly string[]
