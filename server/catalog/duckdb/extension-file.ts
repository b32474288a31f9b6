/**
 * What the end of an extension file says of it. DuckDB writes eight texts of 32 bytes there, the last one first, and a
 * signature of 256 bytes behind them; it refuses files of another version or platform with the same knowledge.
 */
export interface ExtensionFile {
  readonly platform: string
  /** Of DuckDB, or of the C interface that it was built for. */
  readonly builtFor: string
  readonly version: string
  /** `CPP`: fits one version of DuckDB only. */
  readonly abi: string
}

export const footerLength = 512
const fieldLength = 32
const magic = '4'

/** `footer`: the last 512 bytes. Undefined: the file is no extension. */
export function readExtensionFile(footer: Uint8Array): ExtensionFile | undefined {
  if (footer.length < footerLength) return undefined
  const field = (index: number): string => {
    const start = (7 - index) * fieldLength
    return String.fromCharCode(...footer.subarray(start, start + fieldLength)).replace(/\0+$/, '')
  }
  if (field(0) !== magic) return undefined
  return { platform: field(1), builtFor: field(2), version: field(3), abi: field(4) || 'CPP' }
}

/** What an engine is, as its extensions name it. */
export interface EngineBuild {
  readonly version: string
  readonly platform: string
}

/** Undefined: it fits. */
export function misfit(file: ExtensionFile, engine: EngineBuild): string | undefined {
  if (file.platform !== engine.platform)
    return `is built for ${file.platform}, and this machine is ${engine.platform}`
  if (file.abi === 'CPP' && file.builtFor !== engine.version)
    return `is built for DuckDB ${file.builtFor}, and svc has DuckDB ${engine.version}`
  return undefined
}
