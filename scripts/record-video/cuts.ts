/** The film is recorded twice: at a desk with a mouse, and on a phone with a finger. */
export interface Cut {
  name: "landscape" | "portrait";
  /** The size of the filmed window, in CSS pixels. */
  viewport: Size;
  /**
   * Height of the band above the picture, in pixels of film, in which players show captions: two lines of text at a
   * desk, three on a phone.
   */
  captionBand: number;
  isTouch: boolean;
}

export interface Size {
  width: number;
  height: number;
}

export const cuts: Cut[] = [
  {
    name: "landscape",
    viewport: { width: 800, height: 600 },
    captionBand: 132,
    isTouch: false,
  },
  {
    name: "portrait",
    viewport: { width: 360, height: 600 },
    captionBand: 126,
    isTouch: true,
  },
];

/** Pixels of film for a CSS pixel. Twice this number must be whole: stage.ts scrolls by two CSS pixels. */
export const scale = 1.5;

/** Size of the film, with the band for captions, in pixels. */
export const filmSize = ({ viewport, captionBand }: Cut): Size => ({
  width: viewport.width * scale,
  height: viewport.height * scale + captionBand,
});
