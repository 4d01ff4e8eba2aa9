import { FileInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const ACCEPTED = '.pdf,.jpg,.jpeg,.png,.bmp,.doc,.docx'

type Props = { file: File | null; onChange: (file: File | null) => void }

/** A file of a document or of evidence, which the form has to have. */
export function DocumentInput({ file, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <FileInput
      label={t('reviews.file')}
      placeholder={t('reviews.choose_file')}
      accept={ACCEPTED}
      required
      withAsterisk={false}
      value={file}
      onChange={onChange}
    />
  )
}
