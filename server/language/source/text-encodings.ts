/** The encodings of text files, by the names that people and programs give them. */

/** encoding -> its other names. The name of each is that of the Encoding Standard, but for `latin-1`, which is ISO 8859-1 itself. */
const encodings: Readonly<Record<string, readonly string[]>> = {
  'utf-8': ['utf8', 'utf-8-sig', 'utf_8', '65001'],
  'utf-16': ['utf16', 'utf_16', 'unicode', 'ucs-2'],
  'utf-16le': ['utf16le', 'utf-16-le', 'utf_16_le', '1200'],
  'utf-16be': ['utf16be', 'utf-16-be', 'utf_16_be', '1201'],
  'latin-1': ['latin1', 'iso-8859-1', 'iso8859-1', 'l1', '28591'],
  'iso-8859-2': ['latin2', 'latin-2', 'iso8859-2'],
  'iso-8859-3': ['latin3', 'latin-3', 'iso8859-3'],
  'iso-8859-4': ['latin4', 'latin-4', 'iso8859-4'],
  'iso-8859-5': ['iso8859-5'],
  'iso-8859-6': ['iso8859-6'],
  'iso-8859-7': ['iso8859-7'],
  'iso-8859-8': ['iso8859-8'],
  'iso-8859-10': ['latin6', 'latin-6', 'iso8859-10'],
  'iso-8859-13': ['latin7', 'latin-7', 'iso8859-13'],
  'iso-8859-14': ['latin8', 'latin-8', 'iso8859-14'],
  'iso-8859-15': ['latin9', 'latin-9', 'iso8859-15'],
  'iso-8859-16': ['latin10', 'latin-10', 'iso8859-16'],
  'windows-1250': ['cp1250', '1250'],
  'windows-1251': ['cp1251', '1251'],
  'windows-1252': ['cp1252', '1252', 'ansi'],
  'windows-1253': ['cp1253', '1253'],
  'windows-1254': ['cp1254', '1254'],
  'windows-1255': ['cp1255', '1255'],
  'windows-1256': ['cp1256', '1256'],
  'windows-1257': ['cp1257', '1257'],
  'windows-1258': ['cp1258', '1258'],
  'windows-874': ['cp874', 'tis-620', 'iso-8859-11'],
  'koi8-r': ['koi8r'],
  'koi8-u': ['koi8u'],
  ibm866: ['cp866', '866'],
  macintosh: ['mac', 'mac-roman', 'macroman'],
  gbk: ['cp936', '936', 'gb2312'],
  gb18030: [],
  big5: ['cp950', '950'],
  shift_jis: ['shift-jis', 'sjis', 'cp932', '932', 'windows-31j'],
  'euc-jp': ['eucjp'],
  'euc-kr': ['euckr', 'cp949', '949'],
}

export const encodingNames: readonly string[] = Object.keys(encodings)

const byName = new Map(
  Object.entries(encodings).flatMap(([name, others]) => [name, ...others].map(each => [each, name])),
)

/** Returns the encoding of this name; undefined if there is none. */
export function encodingNamed(name: string): string | undefined {
  return byName.get(name.trim().toLowerCase())
}
