import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import { replyHours } from "../../domain/service.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import { demoUpload } from "../../forms/demo-upload.ts";
import DemoUpload from "../../islands/demo-upload.tsx";
import { Notice } from "../../islands/form/notice.tsx";
import Sample from "../../islands/sample.tsx";
import { ClassPicture } from "../class-picture.tsx";
import { Island } from "../island.tsx";
import { noticeOf } from "../notice-texts.ts";

interface FormProps {
  retentionDays: number;
  scanGuide: string | null;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  draft: UploadDraft | undefined;
}

export function DemoSection({ brand, ...form }: FormProps & { brand: Brand }) {
  const notice = noticeOf(demoUpload, brand, form.retentionDays);
  return (
    <section className="demo desk" id="demo" aria-labelledby="demo-title">
      <div className="page">
        <h2 id="demo-title">Try it with your own papers</h2>
        <BeforeForm notice={notice} />
        <Island
          name="demo-upload"
          component={DemoUpload}
          props={{ product: brand.name, notice, ...form }}
        />
      </div>
    </section>
  );
}

/** What leads to the form. CSS hides it once a receipt has replaced the form. */
function BeforeForm({ notice }: { notice: string }) {
  return (
    <div className="before-form">
      <div>
        <p className="lead">
          Send one question paper, its rubric and a few submissions. Our team runs them, checks the
          marks that the model proposes, and e-mails you a link to them within {replyHours} hours.
          It costs nothing.
        </p>
        <Island name="sample" component={Sample} props={{}} />
      </div>
      <ClassPicture />
      <details className="advice">
        <summary>
          First remove learners’ names and ID numbers, and be sure that you may share this work.
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
