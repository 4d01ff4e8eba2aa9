/** The brand of a merchant on the payment page (D-700, D-701): its color and its logo. */

import type { Fault } from '#lib/result.ts'

export { descriptorFaults, readDescriptor } from './rules/descriptor.ts'
export { feeOf, presentFees, readFees, type StoredFee } from './rules/fees.ts'
export { DE43_NAME, networkName } from './rules/network_name.ts'

/** Characters of a data URL: a picture of up to 24 kB. */
export const LOGO_MAX = 32_768

/** The background of the button in each scheme: `--paper` of tokens.css. */
const PAPER = { light: '#ffffff', dark: '#17191c' } as const
/** WCAG 2.2: 1.4.11 for the shape of a button, 1.4.3 for the text on it. */
const SHAPE_CONTRAST = 3
const TEXT_CONTRAST = 4.5
const STEPS = 20

/** A ground, and the ink that is legible on it. */
export type Shades = { ground: string; ink: string }

export type Brand = {
  brand_color?: string | null
  logo?: string | null
  terms_url?: string | null
  support_url?: string | null
}

/** D-1280. */
const LINKS = [
  ['terms_url', ['https:'], 'is not an https address'],
  ['support_url', ['https:', 'mailto:', 'tel:'], 'is not an address of https, mailto or tel'],
] as const

/** A link of the payment page that leads elsewhere than it says. */
function linkFaults(brand: Brand): Fault[] {
  return LINKS.flatMap(([path, schemes, message]) => {
    const url = brand[path]
    if (url === undefined || url === null) return []
    const protocol = URL.canParse(url) ? new URL(url).protocol : ''
    return schemes.some((scheme) => scheme === protocol) ? [] : [{ path, message }]
  })
}

/** A color that is hardly seen on the page, a logo that is no picture, a link of another kind. */
export function brandFaults(brand: Brand): Fault[] {
  const { brand_color, logo } = brand
  const faults: Fault[] = []
  if (brand_color && contrastOf(brand_color, PAPER.light) < SHAPE_CONTRAST) {
    const message = 'is too light for the payment page: its contrast to white is below 3:1'
    faults.push({ path: 'brand_color', message })
  }
  if (logo && !isPicture(logo)) {
    faults.push({ path: 'logo', message: 'is not a PNG, JPEG or WebP picture as a data URL' })
  }
  faults.push(...linkFaults(brand))
  return faults
}

/**
 * The color in each scheme. In the dark one it is mixed with white until it is seen there. The ink
 * is white if that reaches 4.5:1, else black, which then does.
 */
export function shadesOf(brand_color: string): { light: Shades; dark: Shades } {
  return { light: shadesOn(brand_color, PAPER.light), dark: shadesOn(brand_color, PAPER.dark) }
}

function shadesOn(color: string, paper: string): Shades {
  const mixes = Array.from({ length: STEPS + 1 }, (_, step) => lighter(color, step / STEPS))
  const ground = mixes.find((mix) => contrastOf(mix, paper) >= SHAPE_CONTRAST) ?? color
  const ink = contrastOf(ground, '#ffffff') >= TEXT_CONTRAST ? '#ffffff' : '#000000'
  return { ground, ink }
}

/** The contrast of two colors such as `#3d4fd6` by WCAG: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

const lighter = (color: string, share: number): string =>
  `#${channelsOf(color)
    .map((channel) => Math.round(channel + (255 - channel) * share))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`

const DATA_URL =
  /^data:image\/(png|jpeg|webp);base64,((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** The first bytes of each kind in hex; a WebP has its name after four bytes of length. */
const signatures: Readonly<Record<string, RegExp>> = {
  png: /^89504e470d0a1a0a/,
  jpeg: /^ffd8ff/,
  webp: /^52494646.{8}57454250/,
}

function isPicture(url: string): boolean {
  const [, kind = '', base64 = ''] = DATA_URL.exec(url) ?? []
  const bytes = Buffer.from(base64, 'base64')
  return signatures[kind]?.test(bytes.toString('hex', 0, 12)) ?? false
}
