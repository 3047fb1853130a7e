from tests.cogs.painted_screens import PaintedScreens
from tests.cogs.table_driver import Room
import time, pytest
@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"pictures": True})
async def test_x(room: Room):
    room.host.screens["archaeology"] = PaintedScreens(room.host.games["archaeology"])
    room.host.gallery.on=False
    ana, ben = await room.match_of("Ana", "Ben")
    t=time.time()
    page = await ana.command("replay")
    print(time.time()-t, page.text, page.files.keys(), page.buttons)
    await room.later(5)
    print(time.time()-t, page.text, {k:len(v) for k,v in page.files.items()}, page.buttons)
    print([ (e.method,e.path,e.json) for e in room.env.http_requests][-2:])
