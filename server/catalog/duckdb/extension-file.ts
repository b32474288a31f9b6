/**
 * Reads the metadata at the end of an extension file. DuckDB writes eight fields of 32 bytes there, in
 * reverse order, followed by a signature of 256 bytes; it rejects files of another version or platform by
 * them.
 */
export interface ExtensionFile {
  readonly platform: string
  /** The version of DuckDB, or of its C interface, that it was built for. */
  readonly builtFor: string
  readonly version: string
  /** The kind of binary interface. `CPP` fits one version of DuckDB only. */
  readonly abi: string
}

export const footerLength = 512
const fieldLength = 32
const magic = '4'

/** Reads `footer`, the last 512 bytes of a file. Returns undefined if the file is no extension. */
export function readExtensionFile(footer: Uint8Array): ExtensionFile | undefined {
  if (footer.length < footerLength) return undefined
  const field = (index: number): string => {
    const start = (7 - index) * fieldLength
    return String.fromCharCode(...footer.subarray(start, start + fieldLength)).replace(/\0+$/, '')
  }
  if (field(0) !== magic) return undefined
  return { platform: field(1), builtFor: field(2), version: field(3), abi: field(4) || 'CPP' }
}

/** The version and platform of an engine, in the terms of its extensions. */
export interface EngineBuild {
  readonly version: string
  readonly platform: string
}

/** Returns why the extension does not fit the engine; undefined if it fits. */
export function misfit(file: ExtensionFile, engine: EngineBuild): string | undefined {
  if (file.platform !== engine.platform)
    return `is built for ${file.platform}, and this machine is ${engine.platform}`
  if (file.abi === 'CPP' && file.builtFor !== engine.version)
    return `is built for DuckDB ${file.builtFor}, and svc has DuckDB ${engine.version}`
  return undefined
}
