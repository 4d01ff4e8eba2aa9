import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'

const ACCEPTED = '.pdf,.jpg,.jpeg,.png,.bmp,.doc,.docx'

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
      <FileInput
        label={t('reviews.file')}
        placeholder={t('reviews.choose_file')}
        accept={ACCEPTED}
        required
        withAsterisk={false}
        value={file}
        onChange={setFile}
      />
    </Act>
  )
}

function formOf(file: File | null): FormData {
  const form = new FormData()
  if (file) form.append('file', file, file.name)
  return form
}
