import mp4 from "../video/demo.mp4";
import captions from "../video/demo.vtt?raw";
import captionsFile from "../video/demo.vtt?url";
import webm from "../video/demo.webm";
import poster from "../video/poster.svg";

/**
 * A recording of this page, made by `npm run record-video`. Before it is played only the poster is loaded. The
 * film fills the upper 960 pixels; captions are shown in the band below it.
 */
export function DemoVideo() {
  const { seconds, sentences } = transcriptOf(captions);
  return (
    <figure className="demo-video" id="video">
      <video
        controls
        playsInline
        preload="none"
        poster={poster}
        width={1280}
        height={1100}
        aria-labelledby="video-title"
      >
        <source src={webm} type="video/webm" />
        <source src={mp4} type="video/mp4" />
        <track kind="captions" src={captionsFile} srcLang="en" label="English" default />
        <a href={mp4}>The video as a file (MP4)</a>
      </video>
      <figcaption>
        <h2 id="video-title">The demo in {seconds} seconds</h2>
        <p>Recorded from this page as it runs. No sound, with captions.</p>
        <details>
          <summary>What it shows, in words</summary>
          <ol>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </details>
      </figcaption>
    </figure>
  );
}

/** The text of WebVTT captions, and the end of the last one in seconds. */
function transcriptOf(vtt: string): { seconds: number; sentences: string[] } {
  const cues = vtt
    .split("\n\n")
    .map((block) => /^\S+ --> (\d+):(\d+):([\d.]+)\n(.+)/s.exec(block))
    .filter((cue) => cue !== null);
  const [, hours, minutes, seconds] = cues.at(-1)!.map(Number) as [number, number, number, number];
  return {
    seconds: Math.round(hours * 3600 + minutes * 60 + seconds),
    sentences: cues.map((cue) => cue[4]!.trim()),
  };
}
