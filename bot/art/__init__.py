"""Pictures: a drawing kit in one style, and what turns drawings into files beside the event loop.

The style is that of an explorer's sketchbook of the late 1920s: ink lines on paper, few flat colours that were
printed a little beside their lines. A picture holds no word and no font. Numbers are drawn as shapes, so one picture
serves every language and every machine.
"""
