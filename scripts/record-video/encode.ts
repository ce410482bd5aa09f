import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { type Cut, filmSize } from "./cuts.ts";
import type { Cue } from "./film.ts";

/**
 * Writes a cut as WebM and MP4 into a folder.
 * @param file the film as it was recorded
 * @returns the size of the larger file, in bytes
 */
export function encode(cut: Cut, file: string, folder: string): number {
  mkdirSync(folder, { recursive: true });
  const to = (name: string) => path.join(folder, name);
  const filter = `${withBand(cut)},scale=out_color_matrix=bt709`;
  const [mp4, webm] = [to(`demo-${cut.name}.mp4`), to(`demo-${cut.name}.webm`)];
  ffmpeg(file, `-vf ${filter} ${h264} ${colours} -movflags +faststart`, mp4);
  ffmpeg(file, `-vf ${filter} ${vp9} ${colours}`, webm);
  return Math.max(statSync(mp4).size, statSync(webm).size);
}

/** Returns the cues in WebVTT format (W3C), to be shown at the top, in the band for captions. */
export function captions(cues: Cue[]): string {
  const blocks = cues.map(
    ({ from, to, text }) => `${timestamp(from)} --> ${timestamp(to)} line:0\n${text}\n`,
  );
  return ["WEBVTT\n", ...blocks].join("\n");
}

const timestamp = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);

/**
 * A filter that adds the band for captions above the picture. The band is part of the film, so that full screen has it.
 */
function withBand(cut: Cut): string {
  const { width, height } = filmSize(cut);
  return `pad=${width}:${height}:0:${cut.captionBand}:color=0x191714`;
}

/** A key frame every ten seconds: key frames take most of the film's bytes, and seeking is exact without more. */
const keys = "-g 250";
// -me_range: scrolling moves text farther in a frame than the encoder searches by itself.
const h264 = `-c:v libx264 -preset slower -tune animation -crf 28 ${keys} -me_range 64`;
const vp9 = `-c:v libvpx-vp9 -crf 42 -b:v 0 -deadline good -cpu-used 3 -row-mt 1 -threads 2 ${keys}`;
// Declare BT.709, the colours of HD: without it, some players assume those of older television.
const colours = "-pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709";

function ffmpeg(from: string, options: string, to: string): void {
  const args = ["-loglevel", "error", "-y", "-i", from, ...options.split(" "), to];
  execFileSync("ffmpeg", args, { stdio: "inherit" });
}
