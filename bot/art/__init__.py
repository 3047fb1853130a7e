"""Pictures: a drawing kit in one style, and the rendering of drawings in a process beside the event loop.

The style is that of an explorer's sketchbook of the late 1920s: ink lines on paper, and few flat colours printed a
little beside their lines. A picture contains no text and needs no font. Numbers are drawn as shapes, so a picture looks
the same in every language and on every machine.
"""
