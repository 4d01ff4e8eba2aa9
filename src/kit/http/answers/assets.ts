/** Styles and scripts of the pages for people: read once, when the program starts. */

import { readFileSync } from 'node:fs'

export type Asset = { type: string; text: string }

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const PAIR = /light-dark\(([^,()]+), ([^,()]+)\)/g

/**
 * The tokens for every browser: one of before 2024 does not know light-dark(), and would show a
 * button without its ground. It gets the colors of its scheme by a media query.
 */
function tokensForAll(text: string): string {
  const light = text.replace(PAIR, '$1')
  const dark = text.replace(PAIR, '$2')
  return `${light}
@media (prefers-color-scheme: dark) {
${dark}
}
@supports (color: light-dark(#000, #fff)) {
${text}
}
`
}

/** Fonts, colors, type and spaces, as text of a style sheet. */
export const tokens = read('fonts.css') + tokensForAll(read('tokens.css'))

/** The look that all pages share, as text of a style sheet. */
export const commonStyle = tokens + read('page.css')

/** A style follows the common rules of all pages. */
export function readAsset(file: URL): Asset {
  const text = readFileSync(file, 'utf8')
  return file.pathname.endsWith('.css')
    ? { type: 'text/css; charset=utf-8', text: commonStyle + text }
    : { type: 'text/javascript; charset=utf-8', text }
}
