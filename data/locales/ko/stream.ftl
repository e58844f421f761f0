# 방송 화면의 오버레이에 관해 방송인에게 하는 말.

help-overlay = 방송 화면에 게임을 보여 주는 오버레이 주소를 혼자만 볼 수 있게 알려 줘요.
stream-address = OBS에 1920 × 1080 브라우저 소스로 이 주소를 넣으세요: { $address } – 아무에게도 보여 주지 마세요.
stream-renewed = 이전 오버레이 주소는 더 이상 열리지 않아요. OBS에 이 주소를 대신 넣으세요: { $address } – 아무에게도 보여 주지 마세요.
option-overlay-new = 주소를 바꿔요. 이전 주소는 바로 닫혀요
stream-elsewhere = 혼자만 봐야 하는 주소인데, 이 채팅은 모두가 읽어요. 봇이 있는 컴퓨터에서 chatbot overlay를 실행하세요.
stream-nowhere = 여기서는 방송 화면에 보여 줄 것이 없어요. chatbot run으로 봇을 시작하세요.

# 시청자가 채널 포인트로 살 수 있는 것

help-rewards = 시청자가 채널 포인트로 사서 판돈을 걸 수 있는 보상을 보여 주고 바꿔요(트위치).
option-rewards-action = 할 일. 비워 두면 모든 보상을 보여 줘요
option-rewards-text = 만들 때는 게임 포인트 판돈 [초] [제목], 바꾸거나 없앨 때는 제목
example-rewards = !rewards make heist 500 100
rewards-usage = !rewards make 게임 포인트 판돈(뒤에 초와 제목을 붙여도 돼요), !rewards change 제목 다음에 cost, stake, cooldown, title 중 하나와 새 값, 또는 !rewards remove 제목이라고 써 주세요.
rewards = 채널 포인트로 파는 것: { $rows }
rewards-none = 아직 채널 포인트로 파는 것이 없어요. !rewards make heist 500 100 으로 보상을 만들 수 있어요.
rewards-row = { $title }, { $cost }포인트: { $game }, 판돈 { $stake }{ $seconds ->
    [0] {""}
   *[other] , { $seconds }초에 한 번
}
rewards-row-stakeless = { $title }, { $cost }포인트: 판돈을 알 수 없으니 없애 주세요
rewards-removed = 이제 팔지 않아요: { $title }
rewards-title = 제목은 1자에서 { $most }자까지예요.
rewards-no-lobby = 포인트로는 모집 시간이 있는 게임에만 걸 수 있어요: { $known }.
rewards-unknown = 그런 제목으로 제가 만든 보상이 없어요. !rewards 로 볼 수 있어요.
rewards-stakeless = 그 보상은 판돈을 알 수 없어요. 없애고 다시 만들어 주세요.
rewards-waiting = 누군가 그 보상을 샀는데 아직 처리되지 않았어요. 모집이 끝난 뒤에 다시 해 주세요.
rewards-title-taken = 이 채널에 같은 제목의 보상이 이미 있어요. 다른 제목을 붙여 주세요.
rewards-too-many = 이 채널의 보상이 트위치가 허락하는 만큼 다 찼어요. 먼저 하나를 없애 주세요.
rewards-no-affiliate = 트위치가 거절했어요. 채널 포인트는 제휴사와 파트너에게만 있고, 보상은 만든 프로그램만 바꿀 수 있어요.
rewards-trouble = 트위치가 처리하지 않아서 바뀐 것이 없어요. 나중에 다시 해 주세요.
rewards-off = 아직 이 채널의 포인트로 팔 권한이 없어요. 봇이 있는 컴퓨터에서 스트리머가 chatbot connect twitch --broadcaster --points 를 실행하면 켜져요.
rewards-elsewhere = 채널 포인트는 트위치에만 있어요. 이 명령은 트위치 채팅에서 써 주세요.
