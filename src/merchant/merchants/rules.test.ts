import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brandFaults, contrastOf, shadesOf } from './rules.ts'

const pathsOf = (brand: object) => brandFaults(brand).map(({ path }) => path)
const dataUrl = (kind: string, hex: string) =>
  `data:image/${kind};base64,${Buffer.from(hex, 'hex').toString('base64')}`

describe('the contrast of two colors', () => {
  test('is that of WCAG', () => {
    assert.equal(contrastOf('#ffffff', '#000000'), 21)
    assert.equal(contrastOf('#3d4fd6', '#3d4fd6'), 1)
    assert.equal(contrastOf('#767676', '#ffffff').toFixed(2), '4.54')
    assert.equal(contrastOf('#ffffff', '#767676').toFixed(2), '4.54')
  })
})

test('links of the payment page have the schemes that they may have', () => {
  const links = (terms_url: string | null, support_url: string | null) =>
    pathsOf({ terms_url, support_url })
  assert.deepEqual(links('https://shop.example/terms', 'https://shop.example/help'), [])
  assert.deepEqual(links(null, 'mailto:help@shop.example'), [])
  assert.deepEqual(links(null, 'tel:+97140000000'), [])
  for (const wrong of ['http://shop.example', 'javascript:alert(1)', 'data:text/html,x', 'terms']) {
    assert.deepEqual(links(wrong, wrong), ['terms_url', 'support_url'], wrong)
  }
})

describe('the color of a brand', () => {
  test('is at fault where its contrast to white is below 3', () => {
    assert.deepEqual(pathsOf({ brand_color: '#ffcc00' }), ['brand_color'])
    assert.deepEqual(pathsOf({ brand_color: '#959595' }), ['brand_color'])
    assert.deepEqual(pathsOf({ brand_color: '#949494' }), [])
    assert.deepEqual(pathsOf({ brand_color: '#0b6e4f' }), [])
    assert.deepEqual(pathsOf({ brand_color: null }), [])
    assert.deepEqual(pathsOf({}), [])
  })

  const parts = ['00', '33', '66', '99', 'cc', 'ff']
  const colors = parts.flatMap((red) =>
    parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
  )
  const allowed = colors.filter((brand_color) => pathsOf({ brand_color }).length === 0)

  test('is seen on the page in each scheme, and its ink is legible', () => {
    assert.ok(allowed.length > 100 && allowed.length < colors.length)
    for (const color of allowed) {
      const { light, dark } = shadesOf(color)
      assert.equal(light.ground, color)
      assert.ok(contrastOf(light.ground, '#ffffff') >= 3, color)
      assert.ok(contrastOf(dark.ground, '#17191c') >= 3, color)
      for (const { ground, ink } of [light, dark]) {
        assert.ok(contrastOf(ground, ink) >= 4.5, `${ink} on ${ground}`)
      }
    }
  })

  test('has white ink where that is legible, and black on lighter colors', () => {
    assert.deepEqual(shadesOf('#0b6e4f').light, { ground: '#0b6e4f', ink: '#ffffff' })
    assert.deepEqual(shadesOf('#e6662e').light, { ground: '#e6662e', ink: '#000000' })
  })
})

describe('a logo', () => {
  const pictures = [
    ['png', '89504e470d0a1a0a0000000d'],
    ['jpeg', 'ffd8ffe000104a4649460001'],
    ['webp', '524946462400000057454250'],
  ] as const
  for (const [kind, hex] of pictures) {
    test(`may be a picture of the kind ${kind}`, () => {
      assert.deepEqual(pathsOf({ logo: dataUrl(kind, hex) }), [])
    })
  }

  const wrong = [
    dataUrl('png', 'ffd8ffe000104a4649460001'),
    dataUrl('svg+xml', '3c7376673e3c2f7376673e00'),
    dataUrl('webp', '524946462400000041564920'),
    'https://shop.example/logo.png',
    'data:image/png;base64,',
    'data:image/png;base64,iVBORw0KGgo',
    `${dataUrl('png', '89504e470d0a1a0a0000000d')}" onload="`,
  ]
  for (const logo of wrong) {
    test(`may not be ${logo}`, () => assert.deepEqual(pathsOf({ logo }), ['logo']))
  }
})
