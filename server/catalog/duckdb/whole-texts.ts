/**
 * The library decodes texts with a TextDecoder that takes U+FEFF at their start for a mark of the encoding and drops it, and has
 * no option for that. So the one place where it reads a text puts the character back where the bytes begin with it.
 */

/** What of the library is put right: its reader of texts, which is private in its types and stands at each text's sixteen bytes. */
interface TextVector {
  readonly prototype: object
}

interface Reading {
  getItem(index: number): string | null
  readonly dataView: DataView
}

const textBytes = 16
const whole = new WeakSet<object>()

/** Makes the texts that the library reads whole. Calling it again changes nothing. */
export function readWholeTexts<Library extends { readonly DuckDBVarCharVector: TextVector }>(
  library: Library,
): Library {
  const reading = library.DuckDBVarCharVector.prototype as Reading
  if (whole.has(reading)) return library
  whole.add(reading)
  const getItem = reading.getItem
  reading.getItem = function (this: Reading, index) {
    const text = getItem.call(this, index)
    return text !== null && beginsWithMark(this.dataView, index * textBytes) ? `\ufeff${text}` : text
  }
  return library
}

/** The length comes first, and behind it the first four bytes, however long the text is. */
function beginsWithMark(view: DataView, offset: number): boolean {
  return (
    view.getUint32(offset, true) >= 3 &&
    view.getUint16(offset + 4, false) === 0xefbb &&
    view.getUint8(offset + 6) === 0xbf
  )
}
