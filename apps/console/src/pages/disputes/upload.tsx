import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Act } from '../../parts/act.tsx'
import { DocumentInput } from '../../parts/document_input.tsx'

export type Evidence = { file?: File }

type Props = {
  /** The effect, in a sentence. */
  text: string
  /** One call, with the key of this press. */
  send: (key: string, body: Evidence) => Promise<unknown>
}

/** A file of evidence of a dispute that may have more. */
export function UploadEvidence({ text, send }: Props) {
  const { t } = useTranslation()
  const [file, setFile] = useState<File | null>(null)
  return (
    <Act
      label={t('reviews.upload')}
      text={text}
      act={(key) => send(key, { ...(file && { file }) })}
      onDone={() => setFile(null)}
    >
      <DocumentInput file={file} onChange={setFile} />
    </Act>
  )
}
