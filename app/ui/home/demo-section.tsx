import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { demoUpload } from "../../forms/demo-upload.ts";
import { replyTimeOf } from "../../forms/reply-time.ts";
import DemoUpload from "../../islands/demo-upload.tsx";
import { Notice } from "../../islands/form/notice.tsx";
import type { UploadFormIsland } from "../../islands/form/upload-form.tsx";
import Sample from "../../islands/sample.tsx";
import { Island } from "../island.tsx";
import { noticeOf } from "../notice-texts.ts";
import { PageSection, SectionText } from "../section-text.tsx";

export function DemoSection({
  text,
  brand,
  ...form
}: Omit<UploadFormIsland, "reply"> & { text: PageText<"home">; brand: Brand }) {
  const { title, html } = text.sections.demo;
  const notice = noticeOf(demoUpload, brand, form.retentionDays);
  return (
    <PageSection className="demo desk" id="demo" titleId="demo-title" title={title}>
      <BeforeForm lead={html} notice={notice} />
      <Island
        name="demo-upload"
        component={DemoUpload}
        props={{
          product: brand.name,
          hasModel: Boolean(brand.model),
          notice,
          reply: replyTimeOf(demoUpload, brand),
          ...form,
        }}
      />
    </PageSection>
  );
}

/** The introduction of the form, which CSS hides once a receipt has replaced the form. */
function BeforeForm({ lead, notice }: { lead: string; notice: string }) {
  return (
    <div className="before-form halves">
      <div>
        <SectionText className="lead" html={lead} />
        <Island name="sample" component={Sample} props={{}} />
      </div>
      <details className="advice noted">
        <summary>
          <strong>
            First remove learners’ names and ID numbers, and be sure that you may share this work.
          </strong>
        </summary>
        <p>
          Your school or institution can tell you whether you may. A number in place of a name is
          enough for us.
        </p>
        <Notice text={notice} hasFiles />
      </details>
    </div>
  );
}
