import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { DocumentInput } from '../../parts/document_input.tsx'

/** A file of evidence of a dispute that has not ended. */
export function UploadEvidence({ id }: { id: string }) {
  const { t } = useTranslation()
  const [file, setFile] = useState<File | null>(null)
  const act = (key: string) =>
    answered(
      issuing.POST('/disputes/{id}/files', {
        body: {},
        params: { path: { id }, header: once(key) },
        bodySerializer: () => formOf(file),
      }),
    )
  return (
    <Act
      label={t('reviews.upload')}
      text={t('disputes.upload_text')}
      act={act}
      onDone={() => setFile(null)}
    >
      <DocumentInput file={file} onChange={setFile} />
    </Act>
  )
}

function formOf(file: File | null): FormData {
  const form = new FormData()
  if (file) form.append('file', file, file.name)
  return form
}
