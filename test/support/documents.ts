/** Documents that people hand in, as browsers can show them. */

import { form } from './files.ts'
import type { TestTenant, World } from './world.ts'

/** A PDF with a page for each text, in a font that every reader brings along. */
export function pdfOf(...texts: readonly string[]): Buffer {
  const kids = texts.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${texts.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, at) => {
      const drawn = `BT /F1 28 Tf 60 720 Td (${text}) Tj ET`
      const resources = '/Resources << /Font << /F1 3 0 R >> >>'
      const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]'
      return [
        `<< ${page} /Contents ${5 + at * 2} 0 R ${resources} >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.7\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
}

/** Uploads a file to an identification of a user. */
export function upload(
  { request }: Pick<World, 'request'>,
  { api_key: key }: TestTenant,
  identification: { id: string; user_id: string },
  file: { name: string; bytes: Buffer; side?: string },
) {
  const { user_id, id } = identification
  const path = `/v1/users/${user_id}/identifications/${id}/files`
  const { headers, payload } = form(
    ...(file.side === undefined
      ? []
      : [{ name: 'identification_document_type', value: file.side }]),
    { name: 'file', value: file.bytes, file_name: file.name },
  )
  return request('PUT', path, payload, { key, headers })
}
